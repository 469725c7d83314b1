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
// A name or an address literal; the URL parser lets more through, which no browser sends.
const HOST = /^[a-z0-9._:[\]-]{1,253}$/;

// What a group, and a visitor's mark, take in a message or in memory: high rather than low.
const GROUP_BYTES = 140;
const MARK_BYTES = 11;

/**
 * Clicks as they gather: those alike are one group, so that a hot link costs its message and its count little more than
 * one click.
 */
export class ClickGroups {
  readonly #groups = new Map<string, ClickGroup>();
  #bytes = 0;

  /** About how much memory they take. */
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
      this.#bytes += GROUP_BYTES + key.length;
    }
    group.clicks += 1;
    group.lastAt = Math.max(group.lastAt, at);
    if (address === null || group.addresses.has(address)) return;
    group.addresses.add(address);
    this.#bytes += MARK_BYTES + address.length;
  }
}

// Scheme and host as they were spelt: of a referrer the rest is nobody's business.
function siteOf(referrer: string | null): string {
  return (referrer !== null && /^https?:\/\/[^/?#\\]{1,400}(?=[/?#\\]|$)/i.exec(referrer)?.[0]) || '';
}

function hostOf(site: string): string | null {
  const host = URL.parse(site)?.hostname;
  return host !== undefined && HOST.test(host) ? host : null;
}

// The language without its region: `de` for `de-AT,de;q=0.9`.
function firstLanguage(languages: string | null): string | null {
  return (languages !== null && /^\s*([a-z]{2,3})(?![a-z])/i.exec(languages)?.[1]?.toLowerCase()) || null;
}
