import { inject } from 'vitest';
import { partOf, type Part } from './part-of.ts';

/**
 * The cases of an exhaustive test that this run has: each sixth one, or as many as `TEST_SHARE` says (share-of-run.ts),
 * begun at a place that follows from the commit, so that a run is repeated as it was, and some commits have them all.
 */
export const shareOf = <Case>(cases: readonly Case[], share: Part = inject('share')): Case[] => partOf(cases, share);

/** True if this run has a case that is found on the way, by its name. */
export function isInShare(name: string, { part, of }: Part = inject('share')): boolean {
  const sum = Array.from(name).reduce((total, letter) => (31 * total + letter.codePointAt(0)!) % 65_521, 0);
  return sum % of === part - 1;
}
