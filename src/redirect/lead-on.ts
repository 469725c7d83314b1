import { hostnameOf } from '../hosts.ts';
import { forwardPath, forwardQuery } from '../links/routes/forward.ts';
import { choiceFor } from '../links/routes/of-target.ts';
import type { VisitorFacts } from '../links/routes/visitor.ts';
import { linkBlocked, noSuchLink, redirectTo } from './answers.ts';
import { clickOf } from './click.ts';
import { previewPage } from './preview.ts';
import type { RichTarget, Visit } from './visit.ts';
import { searchOf, visitorOf } from './visitor.ts';

/** A visit that may be led on, and where to. */
export interface Lead {
  readonly location: string;
  /** The name of the rule or the variant that was chosen; null for the link's `url`. */
  readonly destination: string | null;
}

/** Leads a visitor on, and counts the click; a program that draws a link preview gets the owner's, if there is one. */
export function leadOn(visit: Visit, target: RichTarget): Response | Promise<Response> {
  const visitor = visitorOf(visit.request);
  const { preview } = target.extras;
  if (preview !== undefined && visitor.kind === 'preview') return previewPage(visit, target, preview);
  return follow(visit, target, leadOf(visit, target, visitor));
}

/** Where a visitor is led. Throws `link_blocked`, and `not_found` for a path that cannot be passed on. */
export function leadOf({ request, rest }: Visit, target: RichTarget, visitor: VisitorFacts): Lead {
  const { url, name, by } = choiceFor(target, visitor);
  if (isBlocked(target, url)) throw linkBlocked();
  const { forwardQuery: forwarding } = target.extras;
  const withPath = rest === null ? url : forwardPath(url, rest);
  if (withPath === null) throw noSuchLink();
  const location = forwarding === undefined ? withPath : forwardQuery(withPath, searchOf(request), forwarding);
  return { location, destination: by === 'default' ? null : name };
}

export function follow({ request, recordClick }: Visit, target: RichTarget, { location, destination }: Lead): Response {
  const response = redirectTo(location, target.extras.redirectStatus);
  const click = clickOf(request, target, destination);
  if (click) recordClick(click);
  return response;
}

/** Whether the operator has blocked the host of a destination. */
export function isBlocked({ extras, ending, url }: RichTarget, destination: string): boolean {
  if (destination === url) return ending === 'blocked';
  const { blockedHosts } = extras;
  return blockedHosts !== undefined && blockedHosts.includes(hostnameOf(new URL(destination)));
}
