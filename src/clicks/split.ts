import type {
  DeliveredGroup,
  DeliveredLink,
  DeliveredPack,
  DeliveredProfile,
  Delivery,
} from '../statistics/append/delivery.ts';
import { LAST_INSTANT } from '../time/day.ts';
import { sourceIn } from './pack.ts';
import type { Pack, PackedGroup } from './read-pack.ts';
import { classifyVisitor, type Visitor } from './visitor.ts';

/** The clicks that some packs have for one client. */
export interface Share {
  readonly clientId: string;
  /** To be appended one after the other; the groups of a pack are in one of them. */
  readonly deliveries: readonly Delivery[];
}

// An append of so many groups takes some 100 ms.
const MAX_GROUPS = 5000;

/** Divides the clicks of packs by client. Each agent is classified once. */
export function splitByClient(packs: readonly Pack[]): Share[] {
  const shares = new Map<string, ShareOfClient>();
  const profiles = new Profiles();
  for (const pack of packs) {
    for (const group of pack.groups) {
      const [linkIndex, profileIndex] = group;
      const [id, clientId, campaignName] = pack.links[linkIndex]!;
      let share = shares.get(clientId);
      if (share === undefined) shares.set(clientId, (share = new ShareOfClient()));
      const destination = pack.destinations?.[linkIndex] ?? null;
      share.add(pack, [id, campaignName], profiles.of(pack, profileIndex, destination), group);
    }
  }
  return [...shares].map(([clientId, share]) => ({ clientId, deliveries: share.deliveries }));
}

class ShareOfClient {
  readonly #growing: GrowingDelivery[] = [];

  get deliveries(): Delivery[] {
    return this.#growing.map(({ packs, links, profiles, groups }) => ({ packs, links, profiles, groups }));
  }

  add(pack: Pack, link: DeliveredLink, profile: DeliveredProfile, group: PackedGroup): void {
    let delivery = this.#growing.at(-1);
    if (delivery === undefined || (delivery.groups.length >= MAX_GROUPS && !delivery.has(pack)))
      this.#growing.push((delivery = new GrowingDelivery()));
    delivery.add(pack, link, profile, group);
  }
}

class GrowingDelivery implements Delivery {
  readonly packs: DeliveredPack[] = [];
  readonly links: DeliveredLink[] = [];
  readonly profiles: DeliveredProfile[] = [];
  readonly groups: DeliveredGroup[] = [];
  readonly #packs = new Map<Pack, number>();
  readonly #links = new Map<string, number>();
  readonly #profiles = new Map<DeliveredProfile, number>();

  has(pack: Pack): boolean {
    return this.#packs.has(pack);
  }

  add(pack: Pack, link: DeliveredLink, profile: DeliveredProfile, [, , clicks, agoMs, marks]: PackedGroup): void {
    const { id, at } = pack;
    this.groups.push([
      indexOf(this.#packs, pack, () => this.packs.push([id, at])),
      indexOf(this.#links, JSON.stringify(link), () => this.links.push(link)),
      indexOf(this.#profiles, profile, () => this.profiles.push(profile)),
      clicks,
      Math.min(Math.max(at - agoMs, 0), LAST_INSTANT),
      marks,
    ]);
  }
}

/** @param add adds the value to its list, and returns the new length */
function indexOf<Value>(indexes: Map<Value, number>, value: Value, add: () => number): number {
  let index = indexes.get(value);
  if (index === undefined) indexes.set(value, (index = add() - 1));
  return index;
}

/** The profiles of some packs: equal ones are one object. */
class Profiles {
  readonly #visitors = new Map<string | null, Visitor>();
  readonly #profiles = new Map<string, DeliveredProfile>();
  /** Of the pack that is being divided, by destination: most of its groups share few profiles. */
  readonly #ofPack = new Map<string | null, Map<number, DeliveredProfile>>();
  #pack: Pack | null = null;

  of(pack: Pack, index: number, destination: string | null): DeliveredProfile {
    if (pack !== this.#pack) this.#ofPack.clear();
    this.#pack = pack;
    let ofDestination = this.#ofPack.get(destination);
    if (ofDestination === undefined) this.#ofPack.set(destination, (ofDestination = new Map()));
    let profile = ofDestination.get(index);
    if (profile === undefined) {
      profile = this.#interned(pack, index, destination);
      ofDestination.set(index, profile);
    }
    return profile;
  }

  #interned(pack: Pack, index: number, destination: string | null): DeliveredProfile {
    const [hour, country, referrer, agentIndex, language] = pack.profiles[index]!;
    const agent = agentIndex === null ? null : pack.agents[agentIndex]!;
    const { kind, browser, os, device } = this.#visitorOf(agent);
    const visitor = [hour, kind, country, referrer, browser, os, device, language] as const;
    const profile = [...visitor, destination, ...sourceIn(pack, index)] as const;
    const key = JSON.stringify(profile);
    const known = this.#profiles.get(key);
    if (known !== undefined) return known;
    this.#profiles.set(key, profile);
    return profile;
  }

  #visitorOf(agent: string | null): Visitor {
    let visitor = this.#visitors.get(agent);
    if (visitor === undefined) this.#visitors.set(agent, (visitor = classifyVisitor(agent)));
    return visitor;
  }
}
