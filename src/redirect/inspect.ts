import { html } from 'hono/html';
import { inspectLink } from '../links/redirect/inspected.ts';
import { rememberedAbove } from '../links/redirect/resolve.ts';
import { prefixesOf } from '../links/redirect/slug-path.ts';
import { noSuchLink } from './responses.ts';
import { respondWithPage } from './page.ts';
import { redirect, refuseOtherMethods, type OpenVisit } from './redirect.ts';
import { refuse } from './refusal.ts';
import { hostOf, tape } from './tape.ts';

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
    const { url, leadsElsewhere, createdAt, language } = inspected;
    return await respondWithPage(request, { language }, (words) => ({
      title: words.text('inspect.title'),
      body: html`${tape(hostOf(visit, host), slug)}
        <h1>${words.text('inspect.title')}</h1>
        <p>${url === null ? words.text('inspect.blocked') : destination(url)}</p>
        ${leadsElsewhere ? html`<p>${words.text('inspect.elsewhere')}</p>` : ''}
        <p class="quiet">${words.text('inspect.created', { day: new Date(createdAt) })}</p>`,
    }));
  } catch (error) {
    return refuse(request, error, publicUrl);
  }
}

const destination = (url: string) =>
  html`<a class="broken" dir="ltr" href="${url}" rel="noreferrer nofollow">${url}</a>`;
