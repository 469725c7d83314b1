import { withoutMarker } from '../../clicks/source.ts';
import { hostnameOf } from '../../network/hosts.ts';
import { isOnWeb } from '../destinations/web-url.ts';
import type { Extras } from './extras.ts';
import type { Target } from '../link.ts';
import { forwardPath, forwardQuery } from '../routes/forward.ts';
import { choiceFor } from '../routes/of-target.ts';
import type { VisitorFacts } from '../routes/visitor.ts';

/** The effect of a link on a visit, for those who respond to it and for those who explain it. */

/** A link that is more than a plain one. */
export type RichTarget = Target & { readonly extras: Extras };

/** Why a link leads no visitor to one of its destinations. */
export type Stop = 'deleted' | 'disabled' | 'not_started' | 'expired';

/** The reason that stops all visitors of a link at an instant, in milliseconds since the epoch, or null. */
export function stopOf({ ending, expiresAt, extras }: Target, now: number): Stop | null {
  if (ending === 'deleted' || ending === 'disabled') return ending;
  if (extras?.startsAt !== undefined && now < extras.startsAt) return 'not_started';
  return expiresAt !== null && expiresAt <= now ? 'expired' : null;
}

/** Where a link leads after its end or its last click, unless the operator has blocked that host; null for nowhere. */
export function afterEndOf(target: RichTarget): { readonly url: string } | 'blocked' | null {
  const { expiredUrl: url } = target.extras;
  if (url === undefined) return null;
  return isBlocked(target, url) ? 'blocked' : { url };
}

/**
 * The outcome for a visitor of a link whose password is not in the way: programs get no destination of a link with a
 * click limit, and those that draw link previews get the owner's preview, if there is one.
 */
export function givenTo({ extras }: RichTarget, visitor: VisitorFacts): 'preview' | 'no_destination' | 'redirect' {
  if (extras.preview !== undefined && visitor.kind === 'preview') return 'preview';
  return extras.maxClicks !== undefined && visitor.kind !== 'human' ? 'no_destination' : 'redirect';
}

/** The parts of a visit's URL that a link may pass on. */
interface PassedOn {
  /** The path after the slug, percent-encoded; null if nothing does. */
  readonly rest: string | null;
  /** Gives the query, with its `?`. Called only for a link that passes it on. */
  readonly search: () => string;
}

/** Where a visitor is redirected. */
export interface Redirection {
  readonly location: string;
  /** The chosen destination, if it opens an app: then `location` is the link's fallback, for visitors without the app. */
  readonly app?: string;
  /** The name of the rule or the variant that was chosen; null for the link's `url`. */
  readonly destination: string | null;
}

/** Where a link leads a visitor, unless the operator has blocked that host, or the path cannot be passed on. */
export function redirectionOf(
  target: RichTarget,
  visitor: VisitorFacts,
  { rest, search }: PassedOn,
): Redirection | 'blocked' | 'path' {
  const { url, name, by } = choiceFor(target, visitor);
  const destination = by === 'default' ? null : name;
  const { forwardQuery: forwarding, fallback } = target.extras;
  const onWeb = isOnWeb(url) ? url : fallback;
  if (onWeb === undefined) return { location: url, destination };
  if (isBlocked(target, onWeb)) return 'blocked';
  const withPath = rest === null ? onWeb : forwardPath(onWeb, rest);
  if (withPath === null) return 'path';
  const location = forwarding === undefined ? withPath : forwardQuery(withPath, withoutMarker(search()), forwarding);
  return onWeb === url ? { location, destination } : { location, destination, app: url };
}

/** The image of the owner's preview, unless the operator has blocked its host. */
export function previewImageOf(target: RichTarget): string | undefined {
  const image = target.extras.preview?.image;
  return image === undefined || isBlocked(target, image) ? undefined : image;
}

function isBlocked({ extras, ending, url }: RichTarget, destination: string): boolean {
  if (destination === url) return ending === 'blocked';
  const { blockedHosts } = extras;
  return blockedHosts !== undefined && blockedHosts.includes(hostnameOf(new URL(destination)));
}
