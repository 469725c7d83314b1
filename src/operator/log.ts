import type { AppError } from '../errors.ts';
import { logFailure } from '../http/failure.ts';
import { logInfo } from '../log.ts';

/** What became of a request to the operator's surface. */
export interface Asked {
  readonly requestId: string;
  /** The command, or null where the path is none of ours: it may hold anything. */
  readonly command: string | null;
  readonly milliseconds: number;
  readonly failure: AppError | null;
}

/** @param all whether answers that went well are logged too */
export function logAsked(all: boolean): (asked: Asked) => void {
  return ({ requestId, command, milliseconds, failure }) => {
    if (failure) logFailure(failure, { request_id: requestId });
    if (!failure && !all) return;
    const status = failure?.status ?? 200;
    logInfo('operator', { request_id: requestId, command, status, error: failure?.code, milliseconds });
  };
}
