import type { Language } from '../languages/list.ts';
import type { FoundTarget, NoTarget, Target } from '../links/link.ts';
import type { RichTarget } from '../links/redirect/decide.ts';
import { endingNow } from '../links/redirect/ending.ts';
import { rememberedAbove, rememberedSpelling, rememberedTarget, resolvePath } from '../links/redirect/resolve.ts';
import { prefixesOf } from '../links/redirect/slug-path.ts';
import { trimmedSlug } from '../links/redirect/tolerance.ts';
import { Later } from '../isolate/later.ts';
import { mediaTypeOf, URLENCODED } from '../http/body.ts';
import { linkBlocked, linkGone, noSuchLink, onlyGetAndHead, redirectTo } from './responses.ts';
import { clickOf } from './click.ts';
import { refuse } from './refusal.ts';
import type { Visit } from './visit.ts';

/** Links that are more than a plain one. */
const richLinks = new Later(() => import('./follow.ts'));

// Nothing of such a path can come from a text program.
const UNTRIMMED = /^\/[A-Za-z0-9-]+\/?$/;

/** Where a visit goes. */
interface RequestedPath {
  /** '' for the service's own host. */
  readonly host: string;
  readonly pathname: string;
  /** Null if the path cannot be a slug. */
  readonly slug: string | null;
}

/** A visit whose link is not known yet. */
export type OpenVisit = Omit<Visit, 'address' | 'rest'>;

/**
 * Answers a visit: a redirect to the link's target, or a short answer with the reason. The target comes from the owner of
 * the link; what a visitor sends can only choose among those that the owner wrote. A path that cannot be a slug touches no
 * store, except on a custom domain, where it may be below a link that passes paths on.
 *
 * @returns a response without a promise if memory has an active link: a promise would add a tenth to the cost of a
 * redirect above that of an empty Worker
 */
export function redirect(visit: OpenVisit, requested: RequestedPath): Response | Promise<Response> {
  const { request, memory, publicUrl } = visit;
  const { host, pathname, slug } = requested;
  const notFoundUrl = host === '' ? visit.notFoundUrl : null;
  let language: Language | undefined;
  const refused = (error: unknown) => refuse(request, error, publicUrl, { notFoundUrl, language });
  try {
    const isForm = !isRead(request.method);
    if (isForm && !isVisitorForm(request)) throw onlyGetAndHead();
    const target = slug === null ? null : rememberedTarget(memory, { host, slug });
    if (target?.extras === null && !isForm) return follow(visit, target);
    const response = (found: FoundTarget | NoTarget) => {
      if ('target' in found) language = found.target.extras?.language;
      return respondWithFound(visit, host, isForm, found);
    };
    if (target !== null) return caught(response({ slug: slug!, target, prefix: null }), refused);
    const spelled = memory.targets.hasSpellings ? rememberedSpelling(memory, requested) : null;
    if (spelled !== null) return caught(response(spelled), refused);
    const prefixes = host === '' ? [] : prefixesOf(pathname);
    const above = prefixes.length === 0 ? null : rememberedAbove(memory, { host, prefixes });
    if (above !== null) return caught(response(above), refused);
    const rest = UNTRIMMED.test(pathname) ? null : trimmedSlug(pathname, host);
    const trimmed = rest === slug ? null : rest;
    if (slug === null && trimmed === null && prefixes.length === 0) throw isForm ? onlyGetAndHead() : noSuchLink();
    return resolvePath(visit.openStores(), { ...requested, prefixes, trimmed })
      .then(response)
      .catch(refused);
  } catch (error) {
    return refused(error);
  }
}

// Links with a password, and those that ask first, have a form, so whether the method is refused depends on the link.
function isVisitorForm(request: Request): boolean {
  return request.method === 'POST' && mediaTypeOf(request) === URLENCODED;
}

function caught(response: Response | Promise<Response>, refused: (error: unknown) => Promise<Response>) {
  return response instanceof Promise ? response.catch(refused) : response;
}

function respondWithFound(
  visit: OpenVisit,
  host: string,
  isForm: boolean,
  found: FoundTarget | NoTarget,
): Response | Promise<Response> {
  if (isForm && !('target' in found && hasForm(found.target))) throw onlyGetAndHead();
  if ('notFoundUrl' in found) return redirectOrNotFound(found.notFoundUrl);
  const { slug, target, prefix } = found;
  if (!isRich(target)) return follow(visit, target);
  const rich = { ...visit, address: { host, slug }, rest: prefix?.rest ?? null };
  return richLinks.use(({ followRich }) => followRich(rich, target));
}

const hasForm = ({ extras }: Target) => extras?.passwordAt !== undefined || extras?.askFirst === true;

const isRich = (target: Target): target is RichTarget => target.extras !== null;

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

export function refuseOtherMethods(method: string): void {
  if (!isRead(method)) throw onlyGetAndHead();
}

/**
 * Redirects a visitor who finds no link to the page that the owner of the domain has set, or throws `not_found`. Not
 * counted as a click.
 */
export function redirectOrNotFound(url: string | null): Response {
  if (url === null) throw noSuchLink();
  return redirectTo(url);
}

/** Follows a plain link. */
function follow(visit: OpenVisit, target: Target): Response {
  const ending = endingNow(target);
  if (ending === 'blocked') throw linkBlocked();
  if (ending !== null) throw linkGone();
  const response = redirectTo(target.url);
  const click = clickOf(visit, target);
  if (click) visit.recordClick(click);
  return response;
}
