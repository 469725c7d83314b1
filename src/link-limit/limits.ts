import { logProblem } from '../isolate/log.ts';
import { openObjectCalls, withObjectOutages, type ObjectCalls } from '../objects/object-calls.ts';
import type { Limit, RemovedLimit, Taken } from './limit.ts';
import type { LinkLimit } from './object.ts';

/** The limits of all links, as other rooms see them. Every call throws `store_unavailable`. */
export interface LinkLimits {
  /** Takes a place for a visitor. If the answer is lost, the place may stay taken without a visitor, which is logged. */
  take(linkId: string, limit: Limit): Promise<Taken>;
  /** The number of visitors who can still be redirected; takes nothing. */
  left(linkId: string, limit: Limit): Promise<number>;
  /**
   * Lets an edit hold at once, for isolates that do not know it too. Called after the database has the edit; if the call
   * fails, the edit holds from the first visitor on whose isolate knows it.
   */
  set(linkId: string, edit: Limit | RemovedLimit): Promise<void>;
  /** Removes all that is kept of a link. */
  remove(linkId: string): Promise<void>;
}

/** The calls that the object of a link offers. Every call can be repeated: an id takes one place. */
type Called = Pick<LinkLimit, 'left' | 'remove' | 'set' | 'take'>;

/** Opens the objects of all links, each of which has the id of a link as its name, as `openObjectCalls` does. */
export function openLinkLimits(namespace: Pick<Env['LIMITS'], 'getByName'>, timeoutMs: number): LinkLimits {
  const objects = withLimitOutages<Called>(openObjectCalls((linkId) => namespace.getByName(linkId), timeoutMs));
  return {
    async take(linkId, limit) {
      // The same in the repetition.
      const id = crypto.randomUUID();
      try {
        return await objects.call(linkId, (object) => object.take({ id, ...limit }));
      } catch (cause) {
        logProblem('place_may_be_lost', cause instanceof Error ? cause.cause : cause, { link_id: linkId });
        throw cause;
      }
    },
    left: (linkId, limit) => objects.call(linkId, (object) => object.left(limit)),
    set: (linkId, edit) => objects.call(linkId, (object) => object.set(edit)),
    remove: (linkId) => objects.call(linkId, (object) => object.remove()),
  };
}

/** The given objects, whose failures become `store_unavailable`. */
export function withLimitOutages<Called>(objects: ObjectCalls<Called>): ObjectCalls<Called> {
  return withObjectOutages(objects, 'The limit of this link is temporarily unavailable. Try again in a few seconds.');
}
