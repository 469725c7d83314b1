import { html } from 'hono/html';
import { inspectLink } from '../links/redirect/inspected.ts';
import { rememberedAbove } from '../links/redirect/resolve.ts';
import { prefixesOf } from '../links/redirect/slug-path.ts';
import { noSuchLink } from './responses.ts';
import { respondWithPage } from './page.ts';
import { redirect, refuseOtherMethods, type OpenVisit } from './redirect.ts';
import { refuse } from './refusal.ts';

/**
 * Shows where a link leads, without leading there and without counting a click: its `url` and the day of its creation.
 * 404 for a link that is not to be inspected. A path below a link that passes paths on is passed on instead.
 */
export async function inspect(
  visit: OpenVisit,
  { host, pathname, slug }: { readonly host: string; readonly pathname: string; readonly slug: string },
): Promise<Response> {
  const { request, memory, openStores, publicUrl } = visit;
  try {
    refuseOtherMethods(request.method);
    const prefixes = host === '' ? [] : prefixesOf(pathname);
    const passOn = () => redirect(visit, { host, pathname, slug: null });
    if (rememberedAbove(memory, { host, prefixes }) !== null) return await passOn();
    const inspected = await inspectLink(openStores().db, { host, slug });
    if (inspected === null && prefixes.length > 0) return await passOn();
    if (inspected === null) throw noSuchLink();
    const { url, leadsElsewhere, createdAt } = inspected;
    return await respondWithPage(request, {
      title: 'Where this link leads',
      body: html`<h1>Where this link leads</h1>
        <p>${whereTo(url)}</p>
        ${leadsElsewhere ? html`<p>Some visitors may be redirected to another page.</p>` : ''}
        <p>The link was created on ${new Date(createdAt).toISOString().slice(0, 10)} (UTC).</p>`,
    });
  } catch (error) {
    return refuse(request, error, publicUrl);
  }
}

function whereTo(url: string | null) {
  if (url === null) return 'The operator of this service has blocked the website that it leads to.';
  return html`<a class="broken" href="${url}" rel="noreferrer nofollow">${url}</a>`;
}
