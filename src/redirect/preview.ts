import { html } from 'hono/html';
import { previewImageOf, type RichTarget } from '../links/redirect/decide.ts';
import { respondWithPage } from './page.ts';
import { pathOf, type Visit } from './visit.ts';

/**
 * The page for programs that draw a link preview: the owner's title, description and image as Open Graph
 * (https://ogp.me) and as a Twitter card. The image is only named; this service never fetches it.
 */
export function previewPage(visit: Visit, target: RichTarget): Promise<Response> {
  const { title, description } = target.extras.preview ?? {};
  const image = previewImageOf(target);
  const url = shortUrlOf(visit);
  const shown = title ?? new URL(url).host;
  return respondWithPage(visit.request, { language: target.extras.language ?? 'en' }, () => ({
    title: shown,
    head: html`<meta property="og:type" content="website" />
      <meta property="og:url" content="${url}" />
      <meta property="og:title" content="${shown}" />
      <meta name="twitter:card" content="${image === undefined ? 'summary' : 'summary_large_image'}" />
      <meta name="twitter:title" content="${shown}" />
      ${
        description !== undefined &&
        html`<meta name="description" content="${description}" />
          <meta property="og:description" content="${description}" />
          <meta name="twitter:description" content="${description}" />`
      }
      ${
        image !== undefined &&
        html`<meta property="og:image" content="${image}" /> <meta name="twitter:image" content="${image}" />`
      }`,
    body: html`<h1 dir="auto">${shown}</h1>
      ${description !== undefined && html`<p dir="auto">${description}</p>`}`,
  }));
}

/** The short URL with the forwarded path, without a query. */
function shortUrlOf(visit: Visit): string {
  const { request, address, publicUrl } = visit;
  const own = address.host === '' ? (publicUrl ?? new URL(request.url)).origin : `https://${address.host}`;
  return own + pathOf(visit);
}
