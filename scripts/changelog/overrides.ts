import * as z from 'zod';
import type { Entry } from '../../src/reference/entries.ts';
import { UsageError } from '../cli-error.ts';
import type { Draft } from './compare.ts';

/** What somebody has looked at because the tool could not tell, and written down that it does not break. */
export const overridesSchema = z.array(
  z.strictObject({
    method: z.string(),
    path: z.string(),
    /** The change, in the words of the tool. */
    what: z.string(),
    reason: z.string().trim().min(10),
  }),
);

export type Override = z.infer<typeof overridesSchema>[number];

/**
 * The entries that a comparison comes to, once overrides have had their say. Throws `UsageError` for an override of what
 * the rules can tell, or of what is not there.
 */
export function applyOverrides(drafts: readonly Draft[], overrides: readonly Override[]): readonly Entry[] {
  const unused = new Set(overrides);
  const entries = drafts.map(({ changes: findings, ...entry }): Entry => {
    const changes = findings.map(({ what, breaking, unclassified }) => {
      const override = overrides.find((one) => {
        return one.method === entry.method && one.path === entry.path && one.what === what;
      });
      if (!override || !unclassified) return { what, breaking };
      unused.delete(override);
      return { what, breaking: false, reason: override.reason };
    });
    const breaking = changes.length > 0 ? changes.some((change) => change.breaking) : entry.breaking;
    return { ...entry, breaking, changes };
  });
  const [stray] = unused;
  if (stray) {
    throw new UsageError(
      `changelog/overrides.json: "${stray.method} ${stray.path}: ${stray.what}" is no change that the rules cannot judge.`,
    );
  }
  return entries;
}
