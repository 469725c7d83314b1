import { AppError } from '../errors.ts';
import type { Limit } from '../link-limit/limit.ts';
import { Later } from '../isolate/later.ts';
import { givenTo, type Redirection, type RichTarget } from '../links/redirect/decide.ts';
import { isPrefetch } from './click.ts';
import { follow, neutralPage, pageBefore, redirectionFor } from './redirect-visitor.ts';
import { refuse } from './refusal.ts';
import { previewPage } from './preview.ts';
import type { Visit } from './visit.ts';
import { visitorOf } from './visitor.ts';

/** Records that a limit is reached. */
const events = new Later(() => import('../links/events/limit-reached.ts'));

/**
 * Answers a visit of a link with a click limit. Only a person who asks for the page takes a click; programs, previews and
 * HEAD get no destination.
 *
 * @param afterEnd answers once all clicks are taken
 */
export async function withinLimit(
  visit: Visit,
  target: RichTarget,
  max: number,
  afterEnd: () => Response,
): Promise<Response> {
  const { request, memory, openStores } = visit;
  const { linkId, revision, extras } = target;
  const limit: Limit = { max, since: extras.limitedAt ?? 0, revision };
  if (memory.usedUp.isKnown(linkId, revision)) return afterEnd();
  if (isPrefetch(request.headers)) {
    const sentence = 'This link cannot be prefetched, since its clicks are limited.';
    const refusal = new AppError('store_unavailable', sentence, { retryAfterSeconds: 1 });
    return refuse(request, refusal, visit.publicUrl, { isFailure: false });
  }
  const { limits, db, defer } = openStores();
  const visitor = visitorOf(request, visit.asking);
  const given = givenTo(target, visitor);
  if (request.method === 'HEAD' || given !== 'redirect') {
    if ((await limits.left(linkId, limit)) === 0) return exhausted(visit, target, afterEnd);
    return given === 'preview' ? previewPage(visit, target) : neutralPage(request, target);
  }
  let redirection: Redirection;
  try {
    // Before the click is taken, since a visitor who is refused here takes none.
    redirection = redirectionFor(visit, target, visitor);
  } catch (refusal) {
    if ((await limits.left(linkId, limit)) === 0) return exhausted(visit, target, afterEnd);
    throw refusal;
  }
  const page = pageBefore(visit, target, visitor, redirection);
  if (page !== null) return (await limits.left(linkId, limit)) === 0 ? exhausted(visit, target, afterEnd) : page;
  const { isTaken, left } = await limits.take(linkId, limit);
  // The last visitor does not wait for that.
  if (isTaken && left === 0)
    defer(events.load().then(({ recordLimitReached }) => recordLimitReached(db, linkId, limit)));
  return isTaken ? follow(visit, target, visitor, redirection) : exhausted(visit, target, afterEnd);
}

// An edit of the limit gives the link another revision.
function exhausted({ memory }: Visit, { linkId, revision }: RichTarget, afterEnd: () => Response): Response {
  memory.usedUp.add(linkId, revision);
  return afterEnd();
}
