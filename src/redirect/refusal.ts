import { html } from 'hono/html';
import type { AppError } from '../errors.ts';
import { preferredOf, wantsProblem } from '../http/accept.ts';
import { asAppError, failureHeaders, logFailure, writeFailure } from '../http/failure.ts';

/**
 * The answer to a visitor without a redirect: a small page for browsers, else JSON.
 *
 * @param publicUrl the origin of this service, or null to use that of the request
 */
export async function refuse(request: Request, failure: unknown, publicUrl: URL | null): Promise<Response> {
  const error = asAppError(failure);
  // Only a logged refusal needs an id; most refusals are of unknown links, and are not logged.
  const requestId = error.status < 500 ? null : crypto.randomUUID();
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
  const origin = publicUrl?.origin ?? URL.parse(request.url)?.origin ?? '';
  const json = writeFailure(error, { accept, origin });
  headers.set('Content-Type', wantsPage ? 'text/html; charset=UTF-8' : json.type);
  if (wantsPage) {
    headers.set(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
    );
  }
  const body = wantsPage ? String(await page(error)) : json.text;
  return new Response(request.method === 'HEAD' ? null : body, { status: error.status, headers });
}

const WORDS: Partial<Record<AppError['code'], { readonly title: string; readonly advice: string }>> = {
  not_found: {
    title: 'There is no such link',
    advice: 'Check the address for a typing error: capital and small letters are different here.',
  },
  gone: {
    title: 'This link has ended',
    advice: 'Its owner has switched it off, or its time is over. Ask whoever gave it to you for a new one.',
  },
  link_blocked: {
    title: 'This link has been blocked',
    advice:
      'It leads to a site that is known to do harm, or that this service does not lead to for another reason. You have ' +
      'not been taken there. If you think that this is a mistake, tell whoever gave you the link.',
  },
  store_unavailable: {
    title: 'This link cannot be looked up right now',
    advice: 'The fault is ours and does not last. Please try again in a few seconds.',
  },
};

const OTHERWISE = { title: 'This does not work', advice: 'Short links can only be opened.' };

function page(error: AppError) {
  const { title, advice } = WORDS[error.code] ?? OTHERWISE;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/page.css" />
      </head>
      <body>
        <main>
          <p class="status">${error.status}</p>
          <h1>${title}</h1>
          <p>${advice}</p>
        </main>
      </body>
    </html>`;
}
