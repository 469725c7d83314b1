import { domainToUnicode } from 'node:url';
import { html } from 'hono/html';
import type { Visit } from './visit.ts';

/** The strip with the short link at the top of a page, as its visitor got it: without its scheme, the slug in bold. */

type Html = ReturnType<typeof html>;

export function tape(host: string, slug: string): Html {
  return html`<p class="tape">
    <bdi dir="ltr">${host}/<wbr /><b>${slug}</b></bdi>
  </p>`;
}

export const tapeOf = (visit: Visit): Html => tape(hostOf(visit, visit.address.host), visit.address.slug);

/**
 * The host of a short link in letters, with its port.
 *
 * @param host '' for the service's own
 */
export function hostOf({ publicUrl, request }: Pick<Visit, 'publicUrl' | 'request'>, host: string): string {
  const { hostname, port } = host === '' ? (publicUrl ?? new URL(request.url)) : new URL(`https://${host}`);
  return (domainToUnicode(hostname) || hostname) + (port && `:${port}`);
}
