import * as z from 'zod';
import { lazy } from '../lazy.ts';
import { output } from './schema.ts';

/** The changelog in `changelog/changelog.json`, which `npm run changelog` and `npm run release` write. */

const change = output('ChangelogChange', () =>
  z.strictObject({
    what: z.string().min(1).meta({ description: 'A short description of the change' }),
    breaking: z.boolean().meta({ description: 'Whether it breaks programs' }),
    reason: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Why the change does not break programs, if the general rules cannot decide it' }),
  }),
);

const entry = output('ChangelogEntry', () =>
  z.strictObject({
    kind: z.enum(['added', 'removed', 'deprecated', 'changed']).meta({ description: 'What happened to the operation' }),
    method: z.string().min(1).meta({ description: 'The method of the operation' }),
    // Only printed, so no pattern is needed.
    path: z.string().min(1).meta({ description: 'The path of the operation, as in the API document of that release' }),
    breaking: z.boolean().meta({ description: 'Whether it breaks programs' }),
    note: z.string().min(1).optional().meta({ description: 'A remark' }),
    changes: z
      .array(change())
      .readonly()
      .meta({ description: 'The changes in the operation; empty if it was added or removed' }),
  }),
);

const release = output('ChangelogRelease', () =>
  z.strictObject({
    version: z
      .string()
      .regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/)
      .meta({ description: 'The version, such as 1.2.0' }),
    date: z.iso.date().meta({ description: 'The day of the release' }),
    entries: z.array(entry()).min(1).readonly().meta({ description: 'The changes in this release' }),
  }),
);

export const changelogSchema = lazy(() =>
  z.strictObject({
    unreleased: z.array(entry()).readonly().meta({ description: 'The changes since the newest release' }),
    releases: z.array(release()).min(1).readonly().meta({ description: 'The releases, newest first' }),
  }),
);

export type Change = Readonly<z.infer<ReturnType<typeof change>>>;
export type Entry = Readonly<z.infer<ReturnType<typeof entry>>>;
export type Release = Readonly<z.infer<ReturnType<typeof release>>>;
export type Changelog = Readonly<z.infer<ReturnType<typeof changelogSchema>>>;
