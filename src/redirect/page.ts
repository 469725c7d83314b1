import { html } from 'hono/html';
import { assetPath } from '../http/assets.ts';
import { preferredLanguage } from '../languages/accepted.ts';
import type { Language } from '../languages/list.ts';
import { visitorWords, type VisitorWords } from '../languages/visitor-words.ts';

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

/** The content of a small page for visitors. */
interface PageContent {
  readonly title: string;
  /** Further elements of its head. */
  readonly head?: Html | string;
  readonly body: Html;
}

/** A small page for visitors in the language of its words. */
export async function visitorPage(
  { language, direction }: VisitorWords,
  { title, head = '', body }: PageContent,
): Promise<string> {
  const page = html`<!doctype html>
    <html lang="${language}" dir="${direction}">
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

/** The language of a page for a visitor, and the headers that say so. */
export function pageLanguage(
  request: Request,
  ofLink: Language | undefined,
): { readonly language: Language; readonly headers: Readonly<Record<string, string>> } {
  const language = ofLink ?? preferredLanguage(request.headers.get('Accept-Language'));
  return {
    language,
    headers: { 'Content-Language': language, ...(ofLink === undefined && { Vary: 'Accept-Language' }) },
  };
}

interface PageOptions {
  /** The language of the link, if its owner has chosen one; otherwise the visitor's. */
  readonly language?: Language | undefined;
  readonly hasForm?: boolean;
  /** The nonce of its script, if it has one. */
  readonly nonce?: string | undefined;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * A page that is not cached and not indexed; without its body for HEAD.
 *
 * @param content gives the content in some words
 */
export async function respondWithPage(
  request: Request,
  { language: ofLink, hasForm = false, nonce, status = 200, retryAfterSeconds }: PageOptions,
  content: (words: VisitorWords) => PageContent,
): Promise<Response> {
  const { language, headers: ofLanguage } = pageLanguage(request, ofLink);
  const words = await visitorWords(language);
  const text = await visitorPage(words, content(words));
  const headers = new Headers({ ...PAGE_HEADERS, ...ofLanguage });
  // A form without a page that it comes from could be one of another site.
  if (hasForm) headers.set('Referrer-Policy', 'same-origin');
  if (nonce !== undefined)
    headers.set('Content-Security-Policy', `${PAGE_HEADERS['Content-Security-Policy']}; script-src 'nonce-${nonce}'`);
  if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(retryAfterSeconds));
  return new Response(request.method === 'HEAD' ? null : text, { status, headers });
}
