import { HOUR_MS } from '../time/day.ts';
import type { Click } from './click.ts';
import { originOf } from './referrer.ts';
import { PLAIN_SOURCE, sourceOf, type Source } from './source.ts';
import { MAX_USER_AGENT } from './lengths.ts';

/** The hour and the visitor of a click, as far as they are counted. */
export interface Profile {
  /** Whole hours since the epoch. */
  readonly hour: number;
  readonly country: string | null;
  /** The host, or the package of an Android app, that the `Referer` header names. */
  readonly referrer: string | null;
  /** The `User-Agent` header, or the beginning of a long one. */
  readonly userAgent: string | null;
  /** ISO 639, without a region. */
  readonly language: string | null;
  readonly source: Source;
}

/** A link, as its clicks are counted. */
export type ClickedLink = Pick<Click, 'linkId' | 'clientId' | 'campaignName' | 'destination'>;

/** Clicks that count the same: of one link and one profile. Groups with the same profile or link share the object. */
export interface ClickGroup {
  readonly link: ClickedLink;
  readonly profile: Profile;
  clicks: number;
  /** When the last of them happened, in milliseconds since the epoch. */
  lastAt: number;
  /** The addresses of visitors who may be distinguished. */
  readonly addresses: Set<string>;
}

// A name or an address literal. The URL parser accepts more, but no browser sends that.
const HOST = /^[a-z0-9._:[\]-]{1,253}$/;

// Upper estimates of what each of these takes in memory.
const LINK_BYTES = 400;
const PROFILE_BYTES = 400;
const GROUP_BYTES = 350;
const ADDRESS_BYTES = 50;

/**
 * Clicks as they gather. Clicks that count the same form one group, so that a hot link costs little more than one click
 * to send and count.
 */
export class ClickGroups {
  readonly #profiles = new Map<string, Profile>();
  readonly #links = new Map<string, { readonly link: ClickedLink; readonly groups: Map<Profile, ClickGroup> }>();
  #bytes = 0;
  /** The last click, since those of a hot link often come one after the other. */
  #last: { readonly click: Click; readonly profile: Profile } | null = null;

  /** An estimate of the memory they take. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#links.size === 0;
  }

  /** Sorted by link. */
  list(): ClickGroup[] {
    return [...this.#links.values()].flatMap(({ groups }) => [...groups.values()]);
  }

  add(click: Click): void {
    const { at, address } = click;
    const profile = this.#profileOf(click);
    const { link, groups } = this.#groupsOf(click);
    let group = groups.get(profile);
    if (group === undefined) {
      group = { link, profile, clicks: 0, lastAt: at, addresses: new Set() };
      groups.set(profile, group);
      this.#bytes += GROUP_BYTES;
    }
    group.clicks += 1;
    group.lastAt = Math.max(group.lastAt, at);
    if (address === null || group.addresses.has(address)) return;
    group.addresses.add(address);
    this.#bytes += ADDRESS_BYTES + address.length;
  }

  #profileOf(click: Click): Profile {
    const hour = Math.floor(click.at / HOUR_MS);
    const last = this.#last;
    if (last !== null && last.profile.hour === hour && isSameVisitor(last.click, click)) return last.profile;
    const profile = this.#findProfile(click, hour);
    this.#last = { click, profile };
    return profile;
  }

  #findProfile(click: Click, hour: number): Profile {
    const { country } = click;
    const site = click.referrer === null ? '' : originOf(click.referrer);
    const language = firstLanguage(click.languages);
    const source = click.search ? sourceOf(click.search) : PLAIN_SOURCE;
    const userAgent = click.userAgent?.slice(0, MAX_USER_AGENT) ?? null;
    // Only the last part can hold a line break.
    const key = `${hour}\n${country ?? ''}\n${language ?? ''}\n${site}\n${keyOf(source)}\n${userAgent ?? ''}`;
    const known = this.#profiles.get(key);
    if (known !== undefined) return known;
    const profile = { hour, country, referrer: hostOf(site), userAgent, language, source };
    this.#profiles.set(key, profile);
    this.#bytes += PROFILE_BYTES + key.length;
    return profile;
  }

  #groupsOf({ linkId, clientId, campaignName, destination }: Click) {
    // A link's campaign may change while clicks gather; ids and the names of campaigns and destinations have no line break.
    const isPlain = campaignName === null && destination === null;
    const key = isPlain ? linkId : `${linkId}\n${campaignName ?? ''}\n${destination ?? ''}`;
    const known = this.#links.get(key);
    if (known !== undefined) return known;
    const fresh = { link: { linkId, clientId, campaignName, destination }, groups: new Map<Profile, ClickGroup>() };
    this.#links.set(key, fresh);
    this.#bytes += LINK_BYTES + key.length;
    return fresh;
  }
}

const isSameVisitor = (one: Click, other: Click): boolean =>
  one.userAgent === other.userAgent &&
  one.referrer === other.referrer &&
  one.languages === other.languages &&
  one.search === other.search &&
  one.country === other.country;

// Its words have no line break.
const keyOf = (source: Source): string => (source === PLAIN_SOURCE ? '' : Object.values(source).join('\n'));

/** The number of clicks in a list of groups. */
export const clicksOf = (groups: readonly ClickGroup[]): number => groups.reduce((sum, { clicks }) => sum + clicks, 0);

function hostOf(site: string): string | null {
  // The parser leaves the case of an app's package, and the dot that ends a whole name.
  const host = URL.parse(site)?.hostname.toLowerCase().replace(/\.$/, '');
  return host !== undefined && HOST.test(host) ? host : null;
}

// The language without its region: `de` for `de-AT,de;q=0.9`.
function firstLanguage(languages: string | null): string | null {
  return (languages !== null && /^\s*([a-z]{2,3})(?![a-z])/i.exec(languages)?.[1]?.toLowerCase()) || null;
}
