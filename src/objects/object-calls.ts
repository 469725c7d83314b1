import { AppError } from '../errors.ts';
import { withTimeout } from '../bounds/timeouts.ts';

/** The Durable Objects of a class, as other rooms see them. */
export interface ObjectCalls<Called> {
  /** Calls the object of a name. Throws what the call throws, and an error if it takes too long. */
  call<Result>(name: string, work: (object: Called) => Promise<Result>): Promise<Result>;
}

/**
 * Opens the objects of a class, each call of which can be repeated. A call that the platform says can be repeated, as when
 * an object was moved, is repeated once. Source:
 * https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 *
 * @param timeoutMs for the call and its repetition together
 */
export function openObjectCalls<Called>(getByName: (name: string) => Called, timeoutMs: number): ObjectCalls<Called> {
  return {
    call: (name, work) => {
      // A stub that has failed is not used again.
      const attempt = () => work(getByName(name));
      const repeated = async () => {
        try {
          return await attempt();
        } catch (cause) {
          if (!isRepeatable(cause)) throw cause;
          return attempt();
        }
      };
      return withTimeout(timeoutMs, repeated());
    },
  };
}

function isRepeatable(cause: unknown): boolean {
  const { retryable, overloaded } = cause as { readonly retryable?: boolean; readonly overloaded?: boolean };
  return retryable === true && overloaded !== true;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * The given objects, whose failures become `store_unavailable` with this sentence.
 *
 * @param refusal the message of the error by which an object refuses a caller's request as one too many, which becomes
 * `too_many_requests` with that message
 */
export function withObjectOutages<Called>(
  objects: ObjectCalls<Called>,
  sentence: string,
  refusal?: string,
): ObjectCalls<Called> {
  return {
    call: (name, work) =>
      objects.call(name, work).catch((cause: unknown) => {
        const options = { retryAfterSeconds: RETRY_AFTER_SECONDS, cause };
        if (refusal !== undefined && cause instanceof Error && cause.message === refusal)
          throw new AppError('too_many_requests', refusal, options);
        throw new AppError('store_unavailable', sentence, options);
      }),
  };
}
