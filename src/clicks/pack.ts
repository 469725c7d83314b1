import { createHmac } from 'node:crypto';
import { dayOf } from '../time/day.ts';
import type { ClickGroup } from './groups.ts';
import { MARK_LENGTH } from './lengths.ts';
import type { Pack, PackedGroup, PackedLink, PackedProfile, PackedSource } from './read-pack.ts';
import { PLAIN_SOURCE, type Source } from './source.ts';

/**
 * Clicks in a message of the queue: many in one message, under an id of ours by which they are counted once. A message
 * costs by its length, so that repeated values are written once, in lists, and named by their index.
 */

/**
 * Packs clicks. Only the marks of addresses go into the pack.
 *
 * @param saltOf the salt of a UTC day (YYYY-MM-DD); without one, where it is null, clicks count without a mark
 */
export function packClicks(groups: readonly ClickGroup[], saltOf: (day: string) => string | null): Pack {
  const at = Date.now();
  const links = new Interner<ClickGroup['link'], PackedLink>(({ linkId, clientId, campaignName }) => [
    linkId,
    clientId,
    campaignName,
  ]);
  const agents = new Interner<string, string>((agent) => agent);
  const profiles = new Interner<ClickGroup['profile'], PackedProfile>(
    ({ hour, country, referrer, userAgent, language }) => {
      const agent = userAgent === null ? null : agents.of(userAgent);
      return [hour, country, referrer, agent, language];
    },
  );
  const packed = groups.map((group): PackedGroup => {
    const marks = group.addresses.size === 0 ? '' : marksOf(group, saltOf(dayOf(group.lastAt)));
    return [links.of(group.link), profiles.of(group.profile), group.clicks, at - group.lastAt, marks];
  });
  const sources = profiles.values.map(({ source }) => (source === PLAIN_SOURCE ? null : toPackedSource(source)));
  const destinations = links.values.map(({ destination }) => destination);
  return {
    id: crypto.randomUUID(),
    at,
    links: links.list,
    ...(destinations.some((destination) => destination !== null) && { destinations }),
    agents: agents.list,
    profiles: profiles.list,
    sources: sources.every((source) => source === null) ? [] : sources,
    groups: packed,
  };
}

const toPackedSource = ({ via, utmMedium, utmCampaign }: Source): PackedSource => [via, utmMedium, utmCampaign];

/** The source of a profile of a pack. */
export function sourceIn({ sources }: Pack, profile: number): PackedSource {
  return sources === undefined ? UNKNOWN_SOURCE : (sources[profile] ?? toPackedSource(PLAIN_SOURCE));
}

const UNKNOWN_SOURCE: PackedSource = [null, null, null];

/** The groups of a pack that are of some clients. */
export function groupsOf({ links, groups }: Pack, clients: Pick<ReadonlyMap<string, unknown>, 'has'>): PackedGroup[] {
  return groups.filter(([link]) => clients.has(links[link]![1]));
}

/** The number of clicks in a list of groups. */
export function countClicks(groups: readonly PackedGroup[]): number {
  return groups.reduce((sum, [, , clicks]) => sum + clicks, 0);
}

/** The marks of a group, as a list. */
export function marksIn([, , , , marks]: PackedGroup): string[] {
  return Array.from({ length: marks.length / MARK_LENGTH }, (_, index) =>
    marks.slice(index * MARK_LENGTH, (index + 1) * MARK_LENGTH),
  );
}

/** A list that holds each value once, and knows its index. */
class Interner<From, To> {
  readonly values: From[] = [];
  readonly list: To[] = [];
  readonly #indexes = new Map<From, number>();
  readonly #shape: (from: From) => To;

  constructor(shape: (from: From) => To) {
    this.#shape = shape;
  }

  of(value: From): number {
    const known = this.#indexes.get(value);
    if (known !== undefined) return known;
    this.values.push(value);
    const index = this.list.push(this.#shape(value)) - 1;
    this.#indexes.set(value, index);
    return index;
  }
}

// 48 bits under a salt that is deleted later: enough to distinguish a link's visitors of one day, and useless
// afterwards. The link is part of it, so that a visitor has a different mark for every link.
function marksOf({ link, profile, addresses }: ClickGroup, salt: string | null): string {
  if (salt === null) return '';
  let marks = '';
  for (const address of addresses) {
    const text = JSON.stringify([link.linkId, address, profile.userAgent]);
    marks += createHmac('sha256', salt).update(text).digest('base64url').slice(0, MARK_LENGTH);
  }
  return marks;
}
