import { html } from 'hono/html';
import { assetPath } from '../http/assets.ts';

type Html = ReturnType<typeof html>;

/** The headers of all pages for visitors, besides those that forbid to keep them. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=UTF-8',
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // Without `form-action`: browsers would also apply it to the redirects that follow a form.
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'",
};

/** A small page for visitors. */
export async function visitorPage({
  title,
  head = '',
  body,
}: {
  readonly title: string;
  /** Further elements of its head. */
  readonly head?: Html | string;
  readonly body: Html;
}): Promise<string> {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${head}
        <link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetPath('page.css')}" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
  return String(await page);
}

/** A page that is not cached and not indexed; without its body for HEAD. */
export async function respondWithPage(
  request: Request,
  page: Parameters<typeof visitorPage>[0],
  status = 200,
  retryAfterSeconds?: number,
): Promise<Response> {
  const text = await visitorPage(page);
  const headers = new Headers(PAGE_HEADERS);
  if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(retryAfterSeconds));
  return new Response(request.method === 'HEAD' ? null : text, { status, headers });
}
