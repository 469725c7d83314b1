import type { Kind } from '../facts.ts';

/** The part of a batch of the queue for one client. */
export interface Delivery {
  readonly packs: readonly DeliveredPack[];
  readonly links: readonly DeliveredLink[];
  readonly profiles: readonly DeliveredProfile[];
  readonly groups: readonly DeliveredGroup[];
}

/** A pack that has clicks of the client, `at` in milliseconds since the epoch. It is counted once. */
export type DeliveredPack = readonly [id: string, at: number];

export type DeliveredLink = readonly [id: string, campaignName: string | null];

/**
 * The hour since the epoch, and what is known of the visitor, of where the link led and of what brought the visitor. The
 * Worker of version 1.3.0 does not send the source, the last three words.
 */
export type DeliveredProfile = readonly [
  hour: number,
  kind: Kind,
  country: string | null,
  referrer: string | null,
  browser: string | null,
  os: string | null,
  device: string | null,
  language: string | null,
  destination: string | null,
  via?: string | null,
  utmMedium?: string | null,
  utmCampaign?: string | null,
];

/**
 * Clicks of one pack, link and profile: indexes in the lists, the time of the last of them in milliseconds since the epoch,
 * and the joined marks of the visitors who may be distinguished, in base64url, eight characters each.
 */
export type DeliveredGroup = readonly [
  pack: number,
  link: number,
  profile: number,
  clicks: number,
  lastAt: number,
  marks: string,
];
