import type { Click } from '../clicks/click.ts';
import { AppError } from '../errors.ts';
import type { Address, NoTarget, Target } from '../links/link.ts';
import { rememberedTarget, resolveTarget, type LinkMemory, type LinkTiers } from '../links/redirect/resolve.ts';
import { clickOf } from './click.ts';
import { refuse } from './refusal.ts';

// Copied into each answer, which costs less than reading a plain object for each.
const FOUND = {
  status: 302,
  headers: new Headers({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' }),
};

/**
 * Answers `GET` and `HEAD` at an address: 302 to the link's target, or a short answer that says why not. The target
 * never depends on the visitor's query, headers or cookies.
 *
 * @param address null where the path can be no slug, so that no store is asked
 * @param recordClick called after the link was found to be alive; it must not wait for anything
 * @param openTiers called only where memory has no answer: most redirects never need a store
 * @returns no promise where memory has a living link: a promise would be a tenth of what that costs above an empty Worker
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

/** Where the owner of a domain sends whoever finds no link; nobody counts that. */
export function redirectOrNotFound(url: string | null): Response {
  if (url === null) throw noSuchLink();
  return leadTo(url);
}

function follow(target: Target): Response {
  const isOver = target.expiresAt !== null && target.expiresAt <= Date.now();
  if (target.ending === 'blocked' && !isOver) {
    throw new AppError('link_blocked', 'The operator of this service has blocked the host that this link leads to.');
  }
  if (target.ending !== null || isOver) {
    throw new AppError('gone', 'This short link has ended.');
  }
  return leadTo(target.url);
}

function leadTo(url: string): Response {
  const response = new Response(null, FOUND);
  response.headers.set('Location', url);
  return response;
}

function noSuchLink(): AppError {
  return new AppError('not_found', 'There is no short link at this address.');
}
