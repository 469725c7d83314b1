import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Clicks, Known, KnownLink } from './known.ts';
import type { Headers, Send } from './send.ts';

/** The clicks that were sent. */
interface Sums {
  /** By id. */
  readonly links: Readonly<Record<string, Clicks>>;
  readonly clients: Known['clients'];
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** The headers of visitors, and as what they count; null for no click, since no person sees the destination. */
const VISITORS: readonly (readonly [kind: keyof Clicks | null, headers: Headers, method?: 'HEAD'])[] = [
  ['humans', { 'User-Agent': CHROME, 'Accept-Language': 'de-AT,de;q=0.9', Referer: 'https://news.example/a' }],
  ['humans', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0' }],
  // Counted, but without a visitor mark.
  ['humans', { 'User-Agent': CHROME, 'Accept-Language': 'fr-FR', DNT: '1' }],
  ['bots', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ['previews', { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
  [null, { 'User-Agent': CHROME }, 'HEAD'],
  [null, { 'User-Agent': CHROME, 'Sec-Purpose': 'prefetch' }],
];

const NONE: Clicks = { humans: 0, bots: 0, previews: 0 };

const oneMore = (kind: keyof Clicks, clicks = NONE): Clicks => ({ ...clicks, [kind]: clicks[kind] + 1 });

/** Follows links as browsers, bots and previews do. Throws if a link does not lead to its destination. */
export async function followLinks(origin: string, links: readonly KnownLink[]): Promise<Sums> {
  const counts: Record<string, Clicks> = {};
  const clients: Record<string, Known['clients'][string]> = {};
  for (const [index, link] of links.entries()) {
    // Each link but the first has another group of the visitors, so that totals differ.
    const visitors = VISITORS.filter((_, number) => index === 0 || (number + index) % 3 > 0);
    for (const [kind, headers, method = 'GET'] of visitors) {
      await visit(origin, link, method, headers);
      if (kind === null) continue;
      counts[link.id] = oneMore(kind, counts[link.id]);
      const { clicks, campaigns } = clients[link.clientId] ?? { clicks: NONE, campaigns: {} };
      const name = link.campaignName;
      clients[link.clientId] = {
        clicks: oneMore(kind, clicks),
        campaigns: name === null ? campaigns : { ...campaigns, [name]: oneMore(kind, campaigns[name]) },
      };
    }
  }
  return { links: counts, clients };
}

// With node:http, since fetch sends no other Host than that of its URL.
async function visit(origin: string, { customDomain, slug, url }: KnownLink, method: string, headers: Headers) {
  const path = `/${encodeURIComponent(slug)}`;
  const host = customDomain === null ? {} : { Host: customDomain };
  const sent = request(`${origin}${path}`, { method, headers: { ...headers, ...host }, agent: false }).end();
  const [received] = (await once(sent, 'response')) as [IncomingMessage];
  received.resume();
  await once(received, 'end');
  const { location } = received.headers;
  if (received.statusCode !== 302 || location !== url) {
    throw new Error(`${method} ${path} of ${customDomain ?? origin} returned ${received.statusCode} ${location ?? ''}`);
  }
}

const POLL_MS = 250;
const LONGEST_WAIT_MS = 120_000;

/** Waits until all clicks are counted. Throws if it takes too long. */
export async function untilCounted(send: Send, keys: Readonly<Record<string, Headers>>, sums: Sums): Promise<void> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (const [client, { clicks }] of Object.entries(sums.clients)) {
    for (;;) {
      const { humans, bots, previews } = await send<Clicks>('GET /v1/stats', keys[client]);
      const counted = JSON.stringify({ humans, bots, previews });
      if (counted === JSON.stringify(clicks)) break;
      if (Date.now() > deadline) throw new Error(`${client} has ${counted} instead of ${JSON.stringify(clicks)}`);
      await setTimeout(POLL_MS);
    }
  }
}
