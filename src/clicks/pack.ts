import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { Click } from './click.ts';
import { dayOf } from './day.ts';

/** Clicks as they travel through the queue: many in one message, with an id of ours by which they are counted once. */

const MAX_USER_AGENT = 400;

const packedClick = z.object({
  /** Index into `links`. */
  link: z.int().nonnegative(),
  at: z.int(),
  country: z.string().nullable(),
  referrer: z.string().nullable(),
  /** Index into `agents`, or null where there was no `User-Agent`. */
  agent: z.int().nonnegative().nullable(),
  language: z.string().nullable(),
  mark: z.string().nullable(),
});

const packedLink = z.object({ id: z.string(), clientId: z.string(), campaignName: z.string().nullable() });

const pack = z
  .object({
    id: z.string(),
    /** When it was packed, in milliseconds since the epoch. */
    at: z.int(),
    links: z.array(packedLink),
    agents: z.array(z.string()),
    clicks: z.array(packedClick),
  })
  .refine(({ links, agents, clicks }) =>
    clicks.every(({ link, agent }) => link < links.length && (agent ?? -1) < agents.length),
  );

export type Pack = z.infer<typeof pack>;
export type PackedClick = z.infer<typeof packedClick>;

/** Reads a message of the queue; null where it is no pack. */
export function readPack(body: unknown): Pack | null {
  const parsed = pack.safeParse(body);
  return parsed.success ? parsed.data : null;
}

/**
 * Packs clicks. What repeats is said once; of a referrer only the host goes along, and of an address only its mark.
 *
 * @param saltOf the salt of a UTC day (YYYY-MM-DD), or null where none can be had: then clicks count without a mark
 */
export function packClicks(clicks: readonly Click[], saltOf: (day: string) => string | null): Pack {
  const links = new Index<Pack['links'][number]>();
  const agents = new Index<string>();
  const packed = clicks.map((click): PackedClick => {
    const { linkId: id, clientId, campaignName } = click;
    const userAgent = click.userAgent?.slice(0, MAX_USER_AGENT) ?? null;
    return {
      link: links.of(JSON.stringify([id, campaignName]), { id, clientId, campaignName }),
      at: click.at,
      country: click.country,
      referrer: hostOf(click.referrer),
      agent: userAgent === null ? null : agents.of(userAgent, userAgent),
      language: firstLanguage(click.languages),
      mark: markOf(click, saltOf(dayOf(click.at))),
    };
  });
  return { id: crypto.randomUUID(), at: Date.now(), links: links.values, agents: agents.values, clicks: packed };
}

/** Measures a pack as it grows, for filling a message without overflowing it: an estimate, high rather than low. */
export class PackSize {
  #bytes = 0;
  readonly #links = new Set<string>();
  readonly #agents = new Set<string>();

  get bytes(): number {
    return this.#bytes;
  }

  add({ linkId, clientId, campaignName, referrer, userAgent }: Click): void {
    this.#bytes += 130 + Math.min(referrer?.length ?? 0, 253);
    const link = `${linkId} ${campaignName}`;
    if (isNew(this.#links, link)) this.#bytes += 60 + clientId.length + 3 * link.length;
    const agent = userAgent?.slice(0, MAX_USER_AGENT) ?? '';
    if (isNew(this.#agents, agent)) this.#bytes += 3 + 3 * agent.length;
  }
}

function isNew(known: Set<string>, text: string): boolean {
  const before = known.size;
  return known.add(text).size > before;
}

class Index<T> {
  readonly values: T[] = [];
  readonly #positions = new Map<string, number>();

  of(key: string, value: T): number {
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    this.#positions.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

function hostOf(referrer: string | null): string | null {
  const url = referrer === null ? null : URL.parse(referrer);
  return url && /^https?:$/.test(url.protocol) ? url.hostname.slice(0, 253) : null;
}

// The language without its region: `de` for `de-AT,de;q=0.9`.
function firstLanguage(languages: string | null): string | null {
  return /^\s*([a-z]{2,3})(?![a-z])/i.exec(languages ?? '')?.[1]?.toLowerCase() ?? null;
}

// 48 bits under a salt that is deleted: enough to tell a link's visitors of one day apart, and of no use afterwards. The
// link goes in, so that one visitor has another mark on every link.
function markOf({ linkId, address, userAgent }: Click, salt: string | null): string | null {
  if (salt === null || address === null) return null;
  const text = JSON.stringify([linkId, address, userAgent]);
  return createHmac('sha256', salt).update(text).digest('base64url').slice(0, 8);
}
