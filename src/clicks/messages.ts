import type { ClickGroup } from './groups.ts';

// A message of the queue may hold 128 KB, and the estimates here are high rather than low.
const FULL_BYTES = 100_000;
const GROUP_BYTES = 140;
const MARK_BYTES = 11;
const MAX_MARKS = 5000;

/** Divides clicks into lists that fit a message each. No click is in two of them. */
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

/** Cuts a group with more visitors than fit a message; each of them brings one of its clicks along. */
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

// What needs escaping takes more than its letters.
function jsonBytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Measures a message as it grows: what repeats is said once in it. */
class MessageSize {
  #bytes = 0;
  readonly #links = new Set<string>();
  readonly #agents = new Set<string>();

  with(group: ClickGroup): number {
    const { linkId, clientId, campaignName, userAgent, referrer, addresses } = group;
    const own = GROUP_BYTES + (referrer?.length ?? 0) + MARK_BYTES * addresses.size;
    const link = `${linkId} ${campaignName}`;
    const ofLink = this.#links.has(link) ? 0 : 60 + clientId.length + jsonBytesOf(link);
    const ofAgent = userAgent === null || this.#agents.has(userAgent) ? 0 : 3 + jsonBytesOf(userAgent);
    return this.#bytes + own + ofLink + ofAgent;
  }

  add(group: ClickGroup): void {
    this.#bytes = this.with(group);
    this.#links.add(`${group.linkId} ${group.campaignName}`);
    if (group.userAgent !== null) this.#agents.add(group.userAgent);
  }
}
