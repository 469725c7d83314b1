import { html } from 'hono/html';
import { Later } from '../isolate/later.ts';
import { givenTo, redirectionOf, type Redirection, type RichTarget } from '../links/redirect/decide.ts';
import type { VisitorFacts } from '../links/routes/visitor.ts';
import { AFTER_FORM, linkBlocked, noSuchLink, redirectTo } from './responses.ts';
import { clickFrom, clickOf, searchOf } from './click.ts';
import { respondWithPage } from './page.ts';
import { previewPage } from './preview.ts';
import type { Visit } from './visit.ts';
import { referrerOf, visitorOf } from './visitor.ts';

/** The page of destinations that open an app. */
const appPages = new Later(() => import('./app-page.ts'));

/** Redirects a visitor, and counts the click; a program that draws a link preview gets the owner's, if there is one. */
export function redirectVisitor(visit: Visit, target: RichTarget): Response | Promise<Response> {
  const visitor = visitorOf(visit.request, visit.asking);
  if (givenTo(target, visitor) === 'preview') return previewPage(visit, target);
  const redirection = redirectionFor(visit, target, visitor);
  return pageBefore(visit, target, visitor, redirection) ?? follow(visit, target, visitor, redirection);
}

/** The page of a link that asks first, without the host for programs; null once the visitor has consented. */
export function pageBefore(
  { request, asking }: Visit,
  target: RichTarget,
  visitor: VisitorFacts,
  redirection: Redirection,
): Promise<Response> | null {
  if (asking === undefined) return null;
  return isPerson(request, visitor) ? asking.pageFor(redirection) : neutralPage(request, target);
}

const isPerson = ({ method }: Request, { kind }: VisitorFacts) => method !== 'HEAD' && kind === 'human';

/** The page for programs, without a destination. */
export function neutralPage(request: Request, { extras }: RichTarget): Promise<Response> {
  return respondWithPage(request, { language: extras.language }, (words) => ({
    title: words.text('program.title'),
    body: html`<h1>${words.text('program.title')}</h1>
      <p>${words.text('program.lead')}</p>`,
  }));
}

/** Where a visitor is redirected. Throws `link_blocked`, and `not_found` for a path that cannot be passed on. */
export function redirectionFor({ url, rest }: Visit, target: RichTarget, visitor: VisitorFacts): Redirection {
  const redirection = redirectionOf(target, visitor, { rest, search: () => searchOf(url) });
  if (redirection === 'blocked') throw linkBlocked();
  if (redirection === 'path') throw noSuchLink();
  return redirection;
}

/** Redirects a visitor, or gives a person the page that opens the app of a destination, and counts the click. */
export function follow(
  visit: Visit,
  target: RichTarget,
  visitor: VisitorFacts,
  { location, app, destination }: Redirection,
): Response | Promise<Response> {
  const { request, asking } = visit;
  const response =
    app !== undefined && isPerson(request, visitor)
      ? appPages.use(({ appPage }) => appPage(visit, target, { app, fallback: location }, visitor.device === 'mobile'))
      : redirectTo(location, asking === undefined ? target.extras.redirectStatus : AFTER_FORM);
  const click =
    asking === undefined
      ? clickOf(visit, target, destination)
      : clickFrom(referrerOf(request, asking), visit, target, destination);
  if (click) visit.recordClick(click);
  return response;
}
