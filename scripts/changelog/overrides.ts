import * as z from 'zod';
import type { Entry } from '../../src/changelog/entries.ts';
import { UsageError } from '../cli-error.ts';
import type { Draft } from './compare.ts';

/** Unclassified changes that a developer has examined and found not to break callers. */
export const overridesSchema = z.array(
  z.strictObject({
    method: z.string(),
    path: z.string(),
    /** The change, in the tool's own words. */
    what: z.string(),
    reason: z.string().trim().min(10),
  }),
);

export type Override = z.infer<typeof overridesSchema>[number];

/**
 * The entries of a comparison after the overrides. Throws `UsageError` for an override of a change that the rules
 * classify, or that does not exist.
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
      `src/changelog/overrides.json: "${stray.method} ${stray.path}: ${stray.what}" does not match a change that the rules cannot decide.`,
    );
  }
  return entries;
}
