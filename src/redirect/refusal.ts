import { html } from 'hono/html';
import type { AppError } from '../errors.ts';
import { preferredOf, wantsProblem } from '../http/accept.ts';
import type { Language } from '../languages/list.ts';
import { visitorWords, type VisitorWords } from '../languages/visitor-words.ts';
import { pageLanguage, visitorPage } from './page.ts';
import { asAppError, failureHeaders, logFailure, writeFailure } from '../http/failure.ts';

interface RefusalOptions {
  readonly isFailure?: boolean;
  readonly notFoundUrl?: URL | null;
  readonly language?: Language | undefined;
}

/**
 * The answer to a visitor without a redirect: a small page for browsers, else JSON.
 *
 * @param publicUrl the origin of this service, or null to use that of the request
 * @param isFailure whether an error of the server is a failure of it, which is logged
 * @param notFoundUrl where a browser is redirected that finds nothing; null for the page
 * @param language that of the link, if it is known and has one
 */
export async function refuse(
  request: Request,
  failure: unknown,
  publicUrl: URL | null,
  { isFailure = true, notFoundUrl = null, language: ofLink }: RefusalOptions = {},
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
  const isPage = prefersPage(accept);
  if (isPage && error.code === 'not_found' && notFoundUrl !== null) {
    headers.set('Location', notFoundUrl.href);
    return new Response(null, { status: 302, headers });
  }
  const originOf = () => publicUrl?.origin ?? URL.parse(request.url)?.origin ?? '';
  const { type, text } = isPage
    ? await pageOf(error, { request, ofLink, headers })
    : writeFailure(error, { accept, origin: originOf() });
  headers.set('Content-Type', type);
  return new Response(request.method === 'HEAD' ? null : text, { status: error.status, headers });
}

/** True for the `Accept` of a browser, which gets a page or a redirect to one. */
export const prefersPage = (accept: string): boolean => preferredOf(accept) === 'page' && !wantsProblem(accept);

/** Created once for each language, code and status, which say all that a page says: most are of unknown links. */
const pages = new Map<string, string>();

const CSP = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'";

async function pageOf(
  error: AppError,
  {
    request,
    ofLink,
    headers,
  }: { readonly request: Request; readonly ofLink: Language | undefined; readonly headers: Headers },
): Promise<{ readonly type: string; readonly text: string }> {
  // An address without a link says nothing of one that has not started yet.
  const { language, headers: ofLanguage } = pageLanguage(request, error.code === 'not_found' ? undefined : ofLink);
  headers.set('Content-Security-Policy', CSP);
  headers.set('Content-Language', language);
  if (ofLanguage['Vary'] !== undefined) headers.append('Vary', ofLanguage['Vary']);
  const key = `${language} ${error.status} ${error.code}`;
  const text = pages.get(key) ?? (await page(error, await visitorWords(language)));
  pages.set(key, text);
  return { type: 'text/html; charset=UTF-8', text };
}

const GROUPS = {
  not_found: 'notFound',
  gone: 'gone',
  link_blocked: 'blocked',
  store_unavailable: 'unavailable',
} as const satisfies Partial<Record<AppError['code'], string>>;

function page({ code, status }: AppError, words: VisitorWords): Promise<string> {
  const group = code in GROUPS ? GROUPS[code as keyof typeof GROUPS] : 'unsupported';
  const title = words.text(`${group}.title`);
  return visitorPage(words, {
    title,
    body: html`<p class="status">${status}</p>
      <h1>${title}</h1>
      <p>${words.text(`${group}.advice`)}</p>`,
  });
}
