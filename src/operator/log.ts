import type { AppError } from '../errors.ts';
import { logFailure } from '../http/failure.ts';
import { logInfo } from '../isolate/log.ts';

/** The outcome of a request to the operator's surface. */
export interface ServedRequest {
  readonly requestId: string;
  /** The command, or null for an unknown path, which may hold anything and is not logged. */
  readonly command: string | null;
  readonly milliseconds: number;
  readonly failure: AppError | null;
}

/** @param all whether to log successful requests too */
export function logRequests(all: boolean): (request: ServedRequest) => void {
  return ({ requestId, command, milliseconds, failure }) => {
    if (failure) logFailure(failure, { request_id: requestId });
    if (!failure && !all) return;
    const status = failure?.status ?? 200;
    logInfo('operator', { request_id: requestId, command, status, error: failure?.code, milliseconds });
  };
}
