import { givenTo, redirectionOf, type Redirection, type RichTarget } from '../links/redirect/decide.ts';
import type { VisitorFacts } from '../links/routes/visitor.ts';
import { linkBlocked, noSuchLink, redirectTo } from './responses.ts';
import { clickOf } from './click.ts';
import { previewPage } from './preview.ts';
import type { Visit } from './visit.ts';
import { searchOf, visitorOf } from './visitor.ts';

/** Redirects a visitor, and counts the click; a program that draws a link preview gets the owner's, if there is one. */
export function redirectVisitor(visit: Visit, target: RichTarget): Response | Promise<Response> {
  const visitor = visitorOf(visit.request);
  if (givenTo(target, visitor) === 'preview') return previewPage(visit, target);
  return follow(visit, target, redirectionFor(visit, target, visitor));
}

/** Where a visitor is redirected. Throws `link_blocked`, and `not_found` for a path that cannot be passed on. */
export function redirectionFor({ request, rest }: Visit, target: RichTarget, visitor: VisitorFacts): Redirection {
  const redirection = redirectionOf(target, visitor, { rest, search: () => searchOf(request) });
  if (redirection === 'blocked') throw linkBlocked();
  if (redirection === 'path') throw noSuchLink();
  return redirection;
}

export function follow(
  { request, recordClick }: Visit,
  target: RichTarget,
  { location, destination }: Redirection,
): Response {
  const response = redirectTo(location, target.extras.redirectStatus);
  const click = clickOf(request, target, destination);
  if (click) recordClick(click);
  return response;
}
