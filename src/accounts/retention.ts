import type { Statement } from '../database.ts';
import { deleteEndedFamilies, deleteTokensOfEndedFamilies } from './family-store.ts';

/**
 * What the daily clean-up removes of accounts: token families past their 30 days, with their refresh tokens. A family
 * that was ended early stays until then, so that a stolen token of it goes on being refused as one of ours.
 */
export function expiredAccountRows(now: number): Statement[] {
  return [deleteTokensOfEndedFamilies(now), deleteEndedFamilies(now)];
}
