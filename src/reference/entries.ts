import * as z from 'zod';

/** The changelog as it is kept in `changelog/changelog.json`: what `npm run changelog` and `npm run release` write. */

const change = z.strictObject({
  /** What has changed within an operation, in a few words. */
  what: z.string().min(1),
  breaking: z.boolean(),
  /** Why it does not break although the rules cannot tell. */
  reason: z.string().min(1).optional(),
});

const entry = z.strictObject({
  kind: z.enum(['added', 'removed', 'deprecated', 'changed']),
  method: z.string().min(1),
  /** As the document of its time has it. It is printed, and never read. */
  path: z.string().min(1),
  breaking: z.boolean(),
  /** What else there is to say of it. */
  note: z.string().min(1).optional(),
  /** What has changed within it; of an operation that is added or removed nothing. */
  changes: z.array(change).readonly(),
});

const release = z.strictObject({
  version: z.string().regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/),
  /** A day, such as `2024-04-04`. */
  date: z.iso.date(),
  entries: z.array(entry).min(1).readonly(),
});

export const changelogSchema = z.strictObject({
  /** What has changed since the newest release. */
  unreleased: z.array(entry).readonly(),
  /** The newest first. */
  releases: z.array(release).min(1).readonly(),
});

export type Change = Readonly<z.infer<typeof change>>;
export type Entry = Readonly<z.infer<typeof entry>>;
export type Release = Readonly<z.infer<typeof release>>;
export type Changelog = Readonly<z.infer<typeof changelogSchema>>;
