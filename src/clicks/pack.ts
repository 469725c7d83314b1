import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { dayOf } from './day.ts';
import type { ClickGroup } from './groups.ts';

/** Clicks as they travel through the queue: many in one message, with an id of ours by which they are counted once. */

const packedGroup = z.object({
  /** Index into `links`. */
  link: z.int().nonnegative(),
  clicks: z.int().positive(),
  /** When the last of them came; all of them came in its UTC hour. */
  at: z.int(),
  country: z.string().nullable(),
  referrer: z.string().nullable(),
  /** Index into `agents`, or null where there was no `User-Agent`. */
  agent: z.int().nonnegative().nullable(),
  language: z.string().nullable(),
  /** Of those visitors who may be told apart. */
  marks: z.array(z.string()),
});

const packedLink = z.object({ id: z.string(), clientId: z.string(), campaignName: z.string().nullable() });

const pack = z
  .object({
    id: z.string(),
    /** When it was packed, in milliseconds since the epoch. */
    at: z.int(),
    links: z.array(packedLink),
    agents: z.array(z.string()),
    groups: z.array(packedGroup),
  })
  .refine(({ links, agents, groups }) =>
    groups.every(({ link, agent }) => link < links.length && (agent ?? -1) < agents.length),
  );

export type Pack = z.infer<typeof pack>;
export type PackedGroup = z.infer<typeof packedGroup>;

/** Reads a message of the queue; null where it is no pack. */
export function readPack(body: unknown): Pack | null {
  const parsed = pack.safeParse(body);
  return parsed.success ? parsed.data : null;
}

/**
 * Packs clicks. What repeats is said once, and of an address only its mark goes along.
 *
 * @param saltOf the salt of a UTC day (YYYY-MM-DD), or null where none can be had: then clicks count without a mark
 */
export function packClicks(groups: readonly ClickGroup[], saltOf: (day: string) => string | null): Pack {
  const links = new Index<Pack['links'][number]>();
  const agents = new Index<string>();
  const packed = groups.map((group): PackedGroup => {
    const { linkId: id, clientId, campaignName, userAgent } = group;
    return {
      link: links.of(JSON.stringify([id, campaignName]), { id, clientId, campaignName }),
      clicks: group.clicks,
      at: group.lastAt,
      country: group.country,
      referrer: group.referrer,
      agent: userAgent === null ? null : agents.of(userAgent, userAgent),
      language: group.language,
      marks: marksOf(group, saltOf(dayOf(group.lastAt))),
    };
  });
  return { id: crypto.randomUUID(), at: Date.now(), links: links.values, agents: agents.values, groups: packed };
}

/** How many clicks a list of groups stands for. */
export function countClicks(groups: readonly { readonly clicks: number }[]): number {
  return groups.reduce((sum, { clicks }) => sum + clicks, 0);
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

// 48 bits under a salt that is deleted: enough to tell a link's visitors of one day apart, and of no use afterwards. The
// link goes in, so that one visitor has another mark on every link.
function marksOf({ linkId, addresses, userAgent }: ClickGroup, salt: string | null): string[] {
  if (salt === null) return [];
  return Array.from(addresses, (address) => {
    const text = JSON.stringify([linkId, address, userAgent]);
    return createHmac('sha256', salt).update(text).digest('base64url').slice(0, 8);
  });
}
