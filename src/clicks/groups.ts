import type { Click } from './click.ts';

/** Clicks that are counted alike: on one link, in one UTC hour, by visitors who tell the same of themselves. */
export interface ClickGroup {
  readonly linkId: string;
  readonly clientId: string;
  readonly campaignName: string | null;
  readonly country: string | null;
  /** The host that the `Referer` header names. */
  readonly referrer: string | null;
  /** The `User-Agent` header, or the beginning of a long one. */
  readonly userAgent: string | null;
  /** ISO 639, without a region. */
  readonly language: string | null;
  clicks: number;
  /** When the last of them came, in milliseconds since the epoch. */
  lastAt: number;
  /** Of those visitors who may be told apart. */
  readonly addresses: Set<string>;
}

const HOUR_MS = 3600 * 1000;
const MAX_USER_AGENT = 400;
const MAX_HOST = 253;

/**
 * Clicks as they gather: those alike are one group, so that a hot link costs its message and its count little more than
 * one click. Measures the message they will make, for filling it without overflowing it: an estimate, high rather than
 * low.
 */
export class ClickGroups {
  readonly #groups = new Map<string, ClickGroup>();
  readonly #links = new Set<string>();
  readonly #agents = new Set<string>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  list(): ClickGroup[] {
    return [...this.#groups.values()];
  }

  add(click: Click): void {
    const { linkId, campaignName, at, country, address } = click;
    const site = siteOf(click.referrer);
    const language = firstLanguage(click.languages);
    const userAgent = click.userAgent?.slice(0, MAX_USER_AGENT) ?? null;
    const hour = Math.floor(at / HOUR_MS);
    // No part but the first two can hold a line break, and those come from us.
    const key = `${linkId}\n${campaignName ?? ''}\n${hour}\n${country ?? ''}\n${language ?? ''}\n${site}\n${userAgent ?? ''}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      const { clientId } = click;
      const kind = { linkId, clientId, campaignName, country, referrer: hostOf(site), userAgent, language };
      group = { ...kind, clicks: 0, lastAt: at, addresses: new Set() };
      this.#groups.set(key, group);
      this.#measure(group);
    }
    group.clicks += 1;
    group.lastAt = Math.max(group.lastAt, at);
    if (address !== null && isNew(group.addresses, address)) this.#bytes += 11;
  }

  #measure({ linkId, clientId, campaignName, referrer, userAgent }: ClickGroup): void {
    this.#bytes += 140 + (referrer?.length ?? 0);
    const link = `${linkId} ${campaignName}`;
    if (isNew(this.#links, link)) this.#bytes += 60 + clientId.length + 3 * link.length;
    const agent = userAgent ?? '';
    if (isNew(this.#agents, agent)) this.#bytes += 3 + 3 * agent.length;
  }
}

function isNew(known: Set<string>, text: string): boolean {
  const before = known.size;
  return known.add(text).size > before;
}

// Scheme and host as they were spelt: of a referrer the rest is nobody's business.
function siteOf(referrer: string | null): string {
  return (referrer !== null && /^https?:\/\/[^/?#\\]{1,400}/i.exec(referrer)?.[0]) || '';
}

function hostOf(site: string): string | null {
  return URL.parse(site)?.hostname.slice(0, MAX_HOST) ?? null;
}

// The language without its region: `de` for `de-AT,de;q=0.9`.
function firstLanguage(languages: string | null): string | null {
  return (languages !== null && /^\s*([a-z]{2,3})(?![a-z])/i.exec(languages)?.[1]?.toLowerCase()) || null;
}
