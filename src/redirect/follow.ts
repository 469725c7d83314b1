import { noTargetOn } from '../links/redirect/resolve.ts';
import { linkBlocked, linkGone, noSuchLink, onlyGetAndHead, redirectTo } from './answers.ts';
import { isBlocked, leadOn } from './lead-on.ts';
import { withinLimit } from './limited.ts';
import { askForPassword, isUnlocked } from './locked.ts';
import type { RichTarget, Visit } from './visit.ts';

/**
 * Answers a visit of a link that is more than a plain one. What comes first decides: an end by the owner, the start, the
 * expiry, the password, the click limit, the preview, the destination, a block of its host. Only a link with a password
 * or a limit waits for a store.
 */
export function followRich(visit: Visit, target: RichTarget): Response | Promise<Response> {
  const { ending, expiresAt, extras } = target;
  if (visit.request.method === 'POST' && extras.passwordAt === undefined) throw onlyGetAndHead();
  const now = Date.now();
  if (ending === 'deleted' || ending === 'disabled') throw linkGone();
  if (extras.startsAt !== undefined && now < extras.startsAt) return notStarted(visit);
  if (expiresAt !== null && expiresAt <= now) return afterEnd(target);
  if (extras.passwordAt !== undefined && !isUnlocked(visit, target, extras.passwordAt)) {
    return askForPassword(visit, target);
  }
  return extras.maxClicks === undefined
    ? leadOn(visit, target)
    : withinLimit(visit, target, extras.maxClicks, () => afterEnd(target));
}

/** The same answer as at an address without a link. */
async function notStarted({ request, address, openTiers }: Visit): Promise<Response> {
  if (request.method === 'POST') throw onlyGetAndHead();
  const url = address.host === '' ? null : await noTargetOn(openTiers(), address.host);
  if (url === null) throw noSuchLink();
  return redirectTo(url);
}

/** Not counted as a click. */
function afterEnd(target: RichTarget): Response {
  const { expiredUrl } = target.extras;
  if (expiredUrl === undefined) throw linkGone();
  if (isBlocked(target, expiredUrl)) throw linkBlocked();
  return redirectTo(expiredUrl);
}
