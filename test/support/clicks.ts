import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Click } from '../../src/clicks/click.ts';
import type { LinkClicks } from '../../src/clicks/link-clicks.ts';
import { HOUR_MS } from '../../src/time/day.ts';
import { countClicks } from '../../src/clicks/pack.ts';
import type { Pack } from '../../src/clicks/read-pack.ts';
import worker from '../../src/index.ts';
import { seedLink, seedTenant, signIn, type LinkRecord, type Tenant } from './seed.ts';
import { call, openIsolate } from './service.ts';

/** Clicks in the queue, and the click statistics afterwards. */

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
export const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
export const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';

/** The click statistics in a link's info. */
export async function clicksOf(tenant: Tenant, link: LinkRecord): Promise<LinkClicks> {
  const { access_token } = await signIn(tenant);
  const headers = { Authorization: `Bearer ${access_token}` };
  const response = await call(`/info/${link.id}/${link.client_id}/${link.sec_id}`, { headers });
  const { result } = await response.json<{ result: string }>();
  if (response.status !== 200) throw new Error(`info answered ${response.status}`);
  return (JSON.parse(result) as { clicks: LinkClicks }).clicks;
}

/** A client with a link, and how many clicks of that are counted. */
export async function seedCounted() {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  return { tenant, link, total: async () => (await clicksOf(tenant, link)).total };
}

/** Follows a link through an isolate that has been quiet, so that the click is sent at once; resolves after that. */
export function follow(link: LinkRecord, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return openIsolate()(`/${link.id}`, { headers: { 'User-Agent': CHROME, ...headers } });
}

/**
 * A queue that takes every pack and keeps it here, so that the test decides when and how often it is delivered. With a
 * failure it takes the pack and then throws.
 */
export function holdQueue(failure?: Error): Pack[] {
  const held: Pack[] = [];
  vi.spyOn(env.CLICKS, 'send').mockImplementation(async (body) => {
    held.push(throughJson(body) as Pack);
    if (failure) throw failure;
    return SENT;
  });
  return held;
}

/** The packs with clicks of a link. An isolate of another test may send its own meanwhile. */
export const packsOf = (held: readonly Pack[], linkId: string): readonly Pack[] =>
  held.filter(({ links }) => links.some(([id]) => id === linkId));

const SENT = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };

/** A queue that takes nothing; returns the spy, to count the attempts. */
export function refuseQueue() {
  return vi.spyOn(env.CLICKS, 'send').mockRejectedValue(new Error('Queue send failed: 429'));
}

/** Makes every batch for the primary fail, until `vi.restoreAllMocks`. */
export function breakDatabase() {
  return vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1_ERROR: Network connection lost.'));
}

/** The outcome of a batch: all of it was taken, or all of it is to be delivered again after so many seconds. */
interface Delivery {
  readonly taken: boolean;
  readonly retryInSeconds: number | null;
}

export const TAKEN: Delivery = { taken: true, retryInSeconds: null };
export const toComeAgainIn = (seconds: number): Delivery => ({ taken: false, retryInSeconds: seconds });

/** Delivers one batch of messages to the Worker's consumer, and returns the outcome. */
export async function deliver(bodies: readonly unknown[], queue = 'terse-clicks'): Promise<Delivery> {
  const rest = { timestamp: new Date(), attempts: 1 };
  const messages = bodies.map((body) => ({ id: crypto.randomUUID(), body: throughJson(body), ...rest }));
  const batch = createMessageBatch(queue, messages);
  // The test runner does not report the requested delay.
  const retries = batch.messages.map((message) => vi.spyOn(message, 'retry'));
  const ctx = createExecutionContext();
  await worker.queue(batch, env, ctx);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, ctx);
  const delays = retries.flatMap(({ mock }) => mock.calls.map(([options]) => options?.delaySeconds ?? 0));
  const taken = explicitAcks.length === messages.length && retryMessages.length === 0;
  return { taken, retryInSeconds: delays.length === 0 ? null : Math.max(...delays) };
}

/** Clicks of one group in a pack, with all their values in one place. */
export interface PackedBy {
  /** The index of the link in the pack; 0 by default. */
  readonly link?: number;
  readonly clicks?: number;
  readonly at?: number;
  readonly country?: string | null;
  readonly referrer?: string | null;
  readonly language?: string | null;
  readonly userAgent?: string | null;
  readonly mark?: string;
}

/** A pack of one link's clicks: so many humans, or the given groups. */
export function packOf(
  link: Pick<LinkRecord, 'id' | 'client_id'> & { readonly campaign_name?: string | null },
  clicks: number | readonly PackedBy[],
  rest: Partial<Pack> = {},
): Pack {
  const list = typeof clicks === 'number' ? Array.from({ length: clicks }, (): PackedBy => ({})) : clicks;
  const agents = [...new Set(list.map(({ userAgent = CHROME }) => userAgent).filter((agent) => agent !== null))];
  const packedAt = rest.at ?? Date.now();
  return {
    id: crypto.randomUUID(),
    at: packedAt,
    links: [[link.id, link.client_id, link.campaign_name ?? null]],
    agents,
    profiles: list.map(({ at = Date.now(), country = null, referrer = null, language = null, userAgent = CHROME }) => [
      Math.floor(at / HOUR_MS),
      country,
      referrer,
      userAgent === null ? null : agents.indexOf(userAgent),
      language,
    ]),
    groups: list.map(({ link = 0, clicks = 1, at = Date.now(), mark = '' }, profile) => [
      link,
      profile,
      clicks,
      packedAt - at,
      mark,
    ]),
    ...rest,
  };
}

/** The number of clicks in some packs. */
export function clicksIn(packs: readonly Pack[]): number {
  return countClicks(packs.flatMap(({ groups }) => groups));
}

/** A click, as an isolate holds it. */
export function heldClick(click: Partial<Click> = {}): Click {
  const { linkId = 'b4cd3fgh', clientId = 'client', campaignName = null, destination = null, at = Date.now() } = click;
  const nothing = { country: null, referrer: null, userAgent: null, languages: null, address: null };
  return { ...nothing, linkId, clientId, campaignName, destination, at, ...click };
}

/** The problems logged from now on, parsed. */
export function logged(): () => Record<string, unknown>[] {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  return () => error.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
}

/** A message as the consumer receives it, after its way as JSON. */
function throughJson(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body));
}
