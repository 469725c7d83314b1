import type { ClickedLink, ClickGroup, Profile } from './groups.ts';
import { MARK_LENGTH } from './lengths.ts';
import { PLAIN_SOURCE } from './source.ts';

// A message of the queue may hold 128 KB, and these are upper estimates.
const FULL_BYTES = 100_000;
const GROUP_BYTES = 40;
const LINK_BYTES = 20;
const PROFILE_BYTES = 50;
const MAX_MARKS = 5000;

/** Divides clicks into lists that fit a message each. Each click is in only one of them. */
export function divide(groups: readonly ClickGroup[]): ClickGroup[][] {
  const messages: ClickGroup[][] = [];
  let size = new MessageSize();
  for (const group of groups.flatMap(cut)) {
    const message = messages.at(-1);
    if (message && size.with(group) <= FULL_BYTES) message.push(group);
    else {
      messages.push([group]);
      size = new MessageSize();
    }
    size.add(group);
  }
  return messages;
}

/** Divides a group with more visitors than fit a message; with each visitor goes one of the clicks. */
function cut(group: ClickGroup): ClickGroup[] {
  if (group.addresses.size <= MAX_MARKS) return [group];
  const parts: ClickGroup[] = [];
  let left = group.clicks;
  const addresses = [...group.addresses];
  for (let from = 0; from < addresses.length; from += MAX_MARKS) {
    const some = addresses.slice(from, from + MAX_MARKS);
    const isLast = from + MAX_MARKS >= addresses.length;
    parts.push({ ...group, clicks: isLast ? left : some.length, addresses: new Set(some) });
    left -= some.length;
  }
  return parts;
}

// Escaped characters take more bytes.
function jsonBytesOf(text: string | null): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Estimates the size of a growing message, in which repeated values are written once. */
class MessageSize {
  #bytes = 0;
  readonly #links = new Set<ClickedLink>();
  readonly #profiles = new Set<Profile>();
  readonly #agents = new Set<string>();

  with({ link, profile, addresses }: ClickGroup): number {
    let bytes = this.#bytes + GROUP_BYTES + MARK_LENGTH * addresses.size;
    if (!this.#links.has(link)) {
      bytes +=
        LINK_BYTES +
        link.linkId.length +
        link.clientId.length +
        jsonBytesOf(link.campaignName) +
        jsonBytesOf(link.destination);
    }
    if (!this.#profiles.has(profile)) {
      const { source, userAgent } = profile;
      bytes += PROFILE_BYTES + (profile.referrer?.length ?? 0);
      if (source !== PLAIN_SOURCE) bytes += jsonBytesOf(Object.values(source).join());
      if (userAgent !== null && !this.#agents.has(userAgent)) bytes += 1 + jsonBytesOf(userAgent);
    }
    return bytes;
  }

  add(group: ClickGroup): void {
    this.#bytes = this.with(group);
    this.#links.add(group.link);
    this.#profiles.add(group.profile);
    if (group.profile.userAgent !== null) this.#agents.add(group.profile.userAgent);
  }
}
