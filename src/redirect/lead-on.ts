import { givenTo, leadOf, type Lead, type RichTarget } from '../links/redirect/decide.ts';
import type { VisitorFacts } from '../links/routes/visitor.ts';
import { linkBlocked, noSuchLink, redirectTo } from './answers.ts';
import { clickOf } from './click.ts';
import { previewPage } from './preview.ts';
import type { Visit } from './visit.ts';
import { searchOf, visitorOf } from './visitor.ts';

/** Leads a visitor on, and counts the click; a program that draws a link preview gets the owner's, if there is one. */
export function leadOn(visit: Visit, target: RichTarget): Response | Promise<Response> {
  const visitor = visitorOf(visit.request);
  if (givenTo(target, visitor) === 'preview') return previewPage(visit, target);
  return follow(visit, target, leadFor(visit, target, visitor));
}

/** Where a visitor is led. Throws `link_blocked`, and `not_found` for a path that cannot be passed on. */
export function leadFor({ request, rest }: Visit, target: RichTarget, visitor: VisitorFacts): Lead {
  const lead = leadOf(target, visitor, { rest, search: () => searchOf(request) });
  if (lead === 'blocked') throw linkBlocked();
  if (lead === 'path') throw noSuchLink();
  return lead;
}

export function follow({ request, recordClick }: Visit, target: RichTarget, { location, destination }: Lead): Response {
  const response = redirectTo(location, target.extras.redirectStatus);
  const click = clickOf(request, target, destination);
  if (click) recordClick(click);
  return response;
}
