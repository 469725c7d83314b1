import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { Clicks } from './known.ts';
import type { Service } from './service.ts';

/** The clicks that were sent, by subject. */
interface Sums {
  readonly links: Readonly<Record<string, Clicks>>;
  readonly clients: Readonly<Record<string, { readonly clicks: Clicks; readonly campaigns: Record<string, Clicks> }>>;
}

/** A link to follow. */
interface Followed {
  readonly id: string;
  readonly clientId: string;
  readonly customDomain: string | null;
  readonly slug: string;
  readonly url: string;
  readonly campaignName: string | null;
}

interface Visitor {
  readonly kind: keyof Clicks | null;
  readonly method?: 'HEAD';
  readonly headers: Readonly<Record<string, string>>;
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const VISITORS: readonly Visitor[] = [
  {
    kind: 'humans',
    headers: { 'User-Agent': CHROME, 'Accept-Language': 'de-AT,de;q=0.9', Referer: 'https://news.example/a' },
  },
  { kind: 'humans', headers: { 'User-Agent': FIREFOX, 'Accept-Language': 'en', Referer: 'https://search.example/' } },
  // Counted, but without a visitor mark.
  { kind: 'humans', headers: { 'User-Agent': SAFARI, 'Accept-Language': 'fr-FR', DNT: '1' } },
  {
    kind: 'bots',
    headers: { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  },
  { kind: 'previews', headers: { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' } },
  // Not counted as clicks, since neither shows the destination to a person.
  { kind: null, method: 'HEAD', headers: { 'User-Agent': CHROME } },
  { kind: null, headers: { 'User-Agent': CHROME, 'Sec-Purpose': 'prefetch' } },
];

const NONE: Clicks = { humans: 0, bots: 0, previews: 0 };

/** Follows links as browsers, bots and previews do. Throws if a link does not lead to its destination. */
export async function followLinks(service: Service, links: readonly Followed[]): Promise<Sums> {
  const sums = { links: {} as Record<string, Clicks>, clients: {} as Record<string, Sums['clients'][string]> };
  for (const [index, link] of links.entries()) {
    // Each link but the first has another group of the visitors, so that totals differ.
    const visitors = index === 0 ? VISITORS : VISITORS.filter((_, number) => (number + index) % 3 > 0);
    for (const { kind, method = 'GET', headers } of visitors) {
      await visit(service.origin, link, method, headers);
      if (kind === null) continue;
      sums.links[link.id] = oneMore(sums.links[link.id], kind);
      const { clicks, campaigns } = sums.clients[link.clientId] ?? { clicks: NONE, campaigns: {} };
      if (link.campaignName !== null) campaigns[link.campaignName] = oneMore(campaigns[link.campaignName], kind);
      sums.clients[link.clientId] = { clicks: oneMore(clicks, kind), campaigns };
    }
  }
  return sums;
}

// With node:http, since fetch sends no other Host than that of its URL.
async function visit(
  origin: string,
  { customDomain, slug, url }: Followed,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
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

function oneMore(clicks: Clicks = NONE, kind: keyof Clicks): Clicks {
  return { ...clicks, [kind]: clicks[kind] + 1 };
}

const statsShape = z.object({ humans: z.int(), bots: z.int(), previews: z.int() });
const POLL_MS = 250;
const LONGEST_WAIT_MS = 120_000;

/**
 * Waits until the queue has counted all clicks. Throws if it takes too long.
 *
 * @param headersOf the credential for the statistics of a client
 */
export async function waitUntilCounted(
  service: Service,
  sums: Sums,
  headersOf: (clientId: string) => Readonly<Record<string, string>>,
): Promise<void> {
  const wanted = Object.entries(sums.clients).flatMap(([clientId, { clicks, campaigns }]) => [
    { clientId, path: '/v1/stats', clicks },
    ...Object.entries(campaigns).map(([name, sum]) => ({
      clientId,
      path: `/v1/campaigns/${encodeURIComponent(name)}/stats`,
      clicks: sum,
    })),
  ]);
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (const { clientId, path, clicks } of wanted) {
    for (;;) {
      const query = `?client_id=${encodeURIComponent(clientId)}`;
      const received = await service.send(`GET ${path}${query}`, { headers: headersOf(clientId) });
      const counted = received.as(statsShape);
      if (JSON.stringify(counted) === JSON.stringify(clicks)) break;
      if (Date.now() > deadline) {
        throw new Error(`${path} has ${JSON.stringify(counted)} instead of ${JSON.stringify(clicks)}`);
      }
      await setTimeout(POLL_MS);
    }
  }
}
