import type { AppError } from '../errors.ts';

/**
 * Says of some targets why they may not be led to, or null where they may. It is asked after the database has judged who
 * asks, and about new targets alone: what it says is no property of a link.
 */
export type TargetJudge = (targets: readonly URL[]) => Promise<(target: URL) => AppError | null>;

export const letAllPass: TargetJudge = async () => () => null;
