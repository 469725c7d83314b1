import { html } from 'hono/html';
import type { AppError } from '../errors.ts';
import { preferredOf, wantsProblem } from '../http/accept.ts';
import { visitorPage } from './page.ts';
import { asAppError, failureHeaders, logFailure, writeFailure } from '../http/failure.ts';

/**
 * The answer to a visitor without a redirect: a small page for browsers, else JSON.
 *
 * @param publicUrl the origin of this service, or null to use that of the request
 * @param isFailure whether an error of the server is a failure of it, which is logged
 * @param notFoundUrl where a browser is redirected that finds nothing; null for the page
 */
export async function refuse(
  request: Request,
  failure: unknown,
  publicUrl: URL | null,
  { isFailure = true, notFoundUrl = null }: { readonly isFailure?: boolean; readonly notFoundUrl?: URL | null } = {},
): Promise<Response> {
  const error = asAppError(failure);
  // Only a logged refusal needs an id; most refusals are of unknown links, and are not logged.
  const requestId = error.status < 500 || !isFailure ? null : crypto.randomUUID();
  if (requestId !== null) logFailure(error, { request_id: requestId });
  const headers = new Headers({
    ...(requestId !== null && { 'X-Request-Id': requestId }),
    ...failureHeaders(error),
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept',
  });
  const accept = request.headers.get('Accept') ?? '';
  const wantsPage = preferredOf(accept) === 'page' && !wantsProblem(accept);
  if (wantsPage && error.code === 'not_found' && notFoundUrl !== null) {
    headers.set('Location', notFoundUrl.href);
    return new Response(null, { status: 302, headers });
  }
  const origin = publicUrl?.origin ?? URL.parse(request.url)?.origin ?? '';
  const json = writeFailure(error, { accept, origin });
  headers.set('Content-Type', wantsPage ? 'text/html; charset=UTF-8' : json.type);
  if (wantsPage) {
    headers.set(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
    );
  }
  const body = wantsPage ? await page(error) : json.text;
  return new Response(request.method === 'HEAD' ? null : body, { status: error.status, headers });
}

const WORDS: Partial<Record<AppError['code'], { readonly title: string; readonly advice: string }>> = {
  not_found: {
    title: 'Link not found',
    advice: 'Check the address for typing errors.',
  },
  gone: {
    title: 'This link is no longer available',
    advice: 'It has expired, or its owner has disabled or deleted it. Ask the sender for a new link.',
  },
  link_blocked: {
    title: 'This link has been blocked',
    advice:
      'The operator of this service has blocked the website that it leads to, for example because it is harmful. You have ' +
      'not been redirected. If you think that this is a mistake, contact the sender of the link.',
  },
  store_unavailable: {
    title: 'This link is temporarily unavailable',
    advice: 'Our service has a temporary problem. Please try again in a few seconds.',
  },
};

const OTHERWISE = {
  title: 'This request is not supported',
  advice: 'Open short links in a browser or with a GET request.',
};

function page(error: AppError): Promise<string> {
  const { title, advice } = WORDS[error.code] ?? OTHERWISE;
  return visitorPage({
    title,
    body: html`<p class="status">${error.status}</p>
      <h1>${title}</h1>
      <p>${advice}</p>`,
  });
}
