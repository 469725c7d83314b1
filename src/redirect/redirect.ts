import type { Click } from '../clicks/click.ts';
import { AppError } from '../errors.ts';
import type { Address, NoTarget, Target } from '../links/link.ts';
import { endingNow } from '../links/redirect/ending.ts';
import { rememberedTarget, resolveTarget, type LinkMemory, type LinkTiers } from '../links/redirect/resolve.ts';
import { clickOf } from './click.ts';
import { refuse } from './refusal.ts';

// The object is copied into each answer, which costs less than reading a plain object each time.
const FOUND = {
  status: 302,
  headers: new Headers({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' }),
};

/**
 * Answers `GET` and `HEAD` at an address: 302 to the link's target, or a short answer with the reason. The target never
 * depends on the visitor's query, headers or cookies.
 *
 * @param address null if the path cannot be a slug; then no store is read
 * @param recordClick called after an active link was found; it must not wait for anything
 * @param openTiers called only if memory has no answer: most redirects need no store
 * @returns a response without a promise if memory has an active link: a promise would add a tenth to the cost of a
 * redirect above that of an empty Worker
 */
export function redirect(
  request: Request,
  address: Address | null,
  memory: LinkMemory,
  openTiers: () => LinkTiers,
  recordClick: (click: Click) => void,
  publicUrl: URL | null,
): Response | Promise<Response> {
  const answer = (target: Target | NoTarget) => {
    if ('notFoundUrl' in target) return redirectOrNotFound(target.notFoundUrl);
    const response = follow(target);
    const click = clickOf(request, target);
    if (click) recordClick(click);
    return response;
  };
  try {
    if (address === null) throw noSuchLink();
    refuseOtherMethods(request.method);
    const remembered = rememberedTarget(memory, address);
    if (remembered !== null) return answer(remembered);
    return resolveTarget(openTiers(), address)
      .then(answer)
      .catch((error: unknown) => refuse(request, error, publicUrl));
  } catch (error) {
    return refuse(request, error, publicUrl);
  }
}

export function refuseOtherMethods(method: string): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new AppError('method_not_allowed', 'A short link answers GET and HEAD only.', { allow: ['GET', 'HEAD'] });
}

/**
 * Redirects a visitor who finds no link to the page that the owner of the domain has set, or throws `not_found`. Not
 * counted as a click.
 */
export function redirectOrNotFound(url: string | null): Response {
  if (url === null) throw noSuchLink();
  return redirectTo(url);
}

function follow(target: Target): Response {
  const ending = endingNow(target);
  if (ending === 'blocked') {
    throw new AppError('link_blocked', 'The operator of this service has blocked the host that this link leads to.');
  }
  if (ending !== null) {
    throw new AppError('gone', 'This short link is no longer available.');
  }
  return redirectTo(target.url);
}

function redirectTo(url: string): Response {
  const response = new Response(null, FOUND);
  response.headers.set('Location', url);
  return response;
}

function noSuchLink(): AppError {
  return new AppError('not_found', 'There is no short link at this address.');
}
