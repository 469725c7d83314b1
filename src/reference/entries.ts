import * as z from 'zod';
import { output } from './schema.ts';

/** The changelog as it is kept in `changelog/changelog.json`: what `npm run changelog` and `npm run release` write. */

const change = output('ChangelogChange', () =>
  z.strictObject({
    what: z.string().min(1).meta({ description: 'What has changed within an operation, in a few words' }),
    breaking: z.boolean().meta({ description: 'Whether it breaks programs' }),
    reason: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Why it does not break, where the written rules cannot tell' }),
  }),
);

const entry = output('ChangelogEntry', () =>
  z.strictObject({
    kind: z.enum(['added', 'removed', 'deprecated', 'changed']).meta({ description: 'What happened to the operation' }),
    method: z.string().min(1).meta({ description: 'The method of the operation' }),
    // Printed, and never read.
    path: z.string().min(1).meta({ description: 'The path of the operation, as the document of its time has it' }),
    breaking: z.boolean().meta({ description: 'Whether it breaks programs' }),
    note: z.string().min(1).optional().meta({ description: 'What else there is to say of it' }),
    changes: z
      .array(change())
      .readonly()
      .meta({ description: 'What has changed within it; nothing of an operation that is added or removed' }),
  }),
);

const release = output('ChangelogRelease', () =>
  z.strictObject({
    version: z
      .string()
      .regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/)
      .meta({ description: 'The version, such as 1.2.0' }),
    date: z.iso.date().meta({ description: 'The day of the release' }),
    entries: z.array(entry()).min(1).readonly().meta({ description: 'What has changed with it' }),
  }),
);

export const changelogSchema = z.strictObject({
  unreleased: z.array(entry()).readonly().meta({ description: 'What has changed since the newest release' }),
  releases: z.array(release()).min(1).readonly().meta({ description: 'The releases, the newest first' }),
});

export type Change = Readonly<z.infer<ReturnType<typeof change>>>;
export type Entry = Readonly<z.infer<ReturnType<typeof entry>>>;
export type Release = Readonly<z.infer<ReturnType<typeof release>>>;
export type Changelog = Readonly<z.infer<typeof changelogSchema>>;
