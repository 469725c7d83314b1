import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';

/** The schema of `changelog.json` here, which `npm run changelog` and `npm run release` write. */

export const changeSchema = lazy(() =>
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

export const entrySchema = lazy(() =>
  z.strictObject({
    kind: z.enum(['added', 'removed', 'deprecated', 'changed']).meta({ description: 'What happened to the operation' }),
    method: z.string().min(1).meta({ description: 'The method of the operation' }),
    // Only printed, so no pattern is needed.
    path: z.string().min(1).meta({ description: 'The path of the operation, as in the API document of that release' }),
    breaking: z.boolean().meta({ description: 'Whether it breaks programs' }),
    note: z.string().min(1).optional().meta({ description: 'A remark' }),
    changes: z
      .array(changeSchema())
      .readonly()
      .meta({ description: 'The changes in the operation; empty if it was added or removed' }),
  }),
);

export const releaseSchema = lazy(() =>
  z.strictObject({
    version: z
      .string()
      .regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/)
      .meta({ description: 'The version, such as 1.2.0' }),
    date: z.iso.date().meta({ description: 'The day of the release' }),
    entries: z.array(entrySchema()).min(1).readonly().meta({ description: 'The changes in this release' }),
  }),
);

export const changelogSchema = lazy(() =>
  z.strictObject({
    unreleased: z.array(entrySchema()).readonly().meta({ description: 'The changes since the newest release' }),
    releases: z.array(releaseSchema()).min(1).readonly().meta({ description: 'The releases, newest first' }),
  }),
);

export type Change = Readonly<z.infer<ReturnType<typeof changeSchema>>>;
export type Entry = Readonly<z.infer<ReturnType<typeof entrySchema>>>;
export type Release = Readonly<z.infer<ReturnType<typeof releaseSchema>>>;
export type Changelog = Readonly<z.infer<ReturnType<typeof changelogSchema>>>;
