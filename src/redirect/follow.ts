import { afterEndOf, stopOf, type RichTarget } from '../links/redirect/decide.ts';
import { noTargetOn } from '../links/redirect/resolve.ts';
import { slugOfPath } from '../links/redirect/slug-path.ts';
import { AFTER_FORM, linkBlocked, linkGone, noSuchLink, onlyGetAndHead, redirectTo } from './responses.ts';
import { redirectVisitor } from './redirect-visitor.ts';
import { withinLimit } from './limited.ts';
import { Later } from '../isolate/later.ts';
import { isUnlocked } from './unlocked.ts';
import type { Visit } from './visit.ts';

/** The form of links with a password. */
const passwords = new Later(() => import('./locked.ts'));

/** The page of links that ask first. */
const questions = new Later(() => import('./ask-first.ts'));

/**
 * Answers a visit of a link that is more than a plain one. What comes first decides: an end by the owner, the start, the
 * expiry, the password, the click limit, the preview, the destination, a block of its host, the question. It waits for a
 * store only for a password, a click limit, or the `not_found_url` of a domain before the start.
 */
export function followRich(visit: Visit, target: RichTarget): Response | Promise<Response> {
  const { extras } = target;
  const stop = stopOf(target, Date.now());
  if (stop === 'not_started') return notStarted(visit);
  if (stop === 'expired') return afterEnd(visit, target);
  if (stop !== null) throw linkGone();
  if (extras.askFirst === true) {
    return questions.use(({ followAsking }) => followAsking(visit, target, (it) => followOpen(it, target)));
  }
  const { passwordAt } = extras;
  if (passwordAt !== undefined && (visit.request.method === 'POST' || !isUnlocked(visit, target, passwordAt))) {
    return passwords.use(({ askForPassword }) => askForPassword(visit, target));
  }
  return followOpen(visit, target);
}

/** Answers a visit of a link whose password is not in the way. */
function followOpen(visit: Visit, target: RichTarget): Response | Promise<Response> {
  const { maxClicks } = target.extras;
  return maxClicks === undefined
    ? redirectVisitor(visit, target)
    : withinLimit(visit, target, maxClicks, () => afterEnd(visit, target));
}

/** Responds as at an address without a link. */
async function notStarted({ request, address, rest, openStores }: Visit): Promise<Response> {
  if (request.method === 'POST') throw onlyGetAndHead();
  const { host } = address;
  const isSlug = rest === null || slugOfPath(new URL(request.url).pathname, host) !== null;
  const url = host !== '' && isSlug ? await noTargetOn(openStores(), host) : null;
  if (url === null) throw noSuchLink();
  return redirectTo(url);
}

/** Not counted as a click. */
function afterEnd({ request }: Visit, target: RichTarget): Response {
  const after = afterEndOf(target);
  if (after === null) throw linkGone();
  if (after === 'blocked') throw linkBlocked();
  return redirectTo(after.url, request.method === 'POST' ? AFTER_FORM : undefined);
}
