import type { OwnClient } from '../env.ts';

/** True if the client is closed to its member until they have a second factor. */
export const demandsFactor = ({ factorsFrom, meetsFactors }: OwnClient): boolean =>
  factorsFrom !== null && factorsFrom <= Date.now() && !meetsFactors;
