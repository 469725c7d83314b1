import type { Database } from '../../database/database.ts';
import { matchesFilter } from '../../events/matches.ts';
import { derivedEventId, insertDerived, type DerivedEvent } from '../../events/record.ts';
import { toInstant } from '../../time/instant.ts';
import { sourceIn } from '../pack.ts';
import type { Pack, PackedGroup } from '../read-pack.ts';
import { classifyVisitor, type Visitor } from '../visitor.ts';
import type { ClickHook, ClickHooks } from './hooks.ts';

/** The most clicks in an event. */
const CLICKS_AN_EVENT = 100;

/**
 * The most clicks of a pack that are sent to a webhook; an event says how many more there were. An isolate sends a pack
 * a second: more deliveries than ten would cost as much as the redirects.
 */
const CLICKS_A_PACK = 1000;

// A parameter may hold 2,000,000 bytes. An event has some 25 KB, and several times that if its referrers are long.
const MAX_BYTES = 1_500_000;

/** A click as receivers see it: nothing that statistics do not have. */
interface EventClick {
  readonly at: string;
  readonly link_id: string;
  readonly country: string | null;
  readonly referrer: string | null;
  readonly device: string | null;
  readonly os: string | null;
  readonly browser: string | null;
  readonly language: string | null;
  readonly kind: Visitor['kind'];
  /** The name of the rule or variant, or `default`. */
  readonly destination: string;
  readonly via: string | null;
  readonly utm_medium: string | null;
  readonly utm_campaign: string | null;
}

/**
 * Records the events about the clicks of some packs, for clients that have webhooks for them. The id of an event
 * follows from the pack, the webhook and the part of the pack, so that a pack which is delivered twice has the same
 * events. Throws what the database throws: then the packs have to be delivered again.
 */
export async function recordClickEvents(
  db: Database,
  hooks: ClickHooks,
  packs: readonly Pack[],
  clientIds: readonly string[],
): Promise<void> {
  if (clientIds.length === 0) return;
  const hooksOf = await hooks.of(db, clientIds);
  if (hooksOf.size === 0) return;
  const hasTag = await findTagged(db, hooksOf, packs);
  const now = Date.now();
  const events = packs.flatMap((pack) =>
    [...hooksOf].flatMap(([clientId, ofClient]) =>
      ofClient
        .flatMap((hook) => eventsOf(pack, clientId, hook, hasTag))
        .map((event) => ({ ...event, dueAt: hooks.pace.next(clientId, now) })),
    ),
  );
  for (const some of partsOf(events)) await db.batch(insertDerived('link.clicked', some, now));
}

/** Divides events into parts that fit into a parameter. */
function partsOf(events: readonly DerivedEvent[]): DerivedEvent[][] {
  const parts: DerivedEvent[][] = [];
  let bytes = MAX_BYTES;
  for (const event of events) {
    const ofEvent = Buffer.byteLength(JSON.stringify(event));
    bytes += ofEvent;
    if (bytes > MAX_BYTES) {
      parts.push([]);
      bytes = ofEvent;
    }
    parts.at(-1)?.push(event);
  }
  return parts;
}

type HasTag = (tagId: string, linkId: string) => boolean;

/** Which of the clicked links have a tag for which there is a webhook. */
async function findTagged(
  db: Database,
  hooksOf: ReadonlyMap<string, readonly ClickHook[]>,
  packs: readonly Pack[],
): Promise<HasTag> {
  const tags = new Set([...hooksOf.values()].flat().flatMap(({ tagId }) => tagId ?? []));
  if (tags.size === 0) return () => false;
  const links = new Set(packs.flatMap((pack) => pack.links.flatMap(([id, client]) => (hooksOf.has(client) ? id : []))));
  const [rows] = await db.batch<[{ readonly tag_id: string; readonly link_id: string }]>([
    {
      sql: `SELECT lt.tag_id, lt.link_id FROM json_each(?1) AS link
        CROSS JOIN link_tags lt ON lt.link_id = link.value AND lt.tag_id IN (SELECT value FROM json_each(?2))`,
      params: [JSON.stringify([...links]), JSON.stringify([...tags])],
    },
  ]);
  const pairs = new Set(rows.map(({ tag_id: tag, link_id: link }) => `${tag} ${link}`));
  return (tag, link) => pairs.has(`${tag} ${link}`);
}

function eventsOf(pack: Pack, clientId: string, hook: ClickHook, hasTag: HasTag): Omit<DerivedEvent, 'dueAt'>[] {
  const groups = pack.groups.filter(([index]) => {
    const [linkId, ofClient, campaign] = pack.links[index]!;
    const linkTags = hook.tagId !== null && hasTag(hook.tagId, linkId) ? JSON.stringify([hook.tagId]) : null;
    return ofClient === clientId && matchesFilter(hook, { linkTags, linkCampaign: campaign });
  });
  const agents = pack.agents.map(classifyVisitor);
  const clicks: EventClick[] = [];
  let omitted = 0;
  for (const group of groups) {
    const listed = Math.min(group[2], CLICKS_A_PACK - clicks.length);
    omitted += group[2] - listed;
    const click = toEventClick(pack, group, agents);
    for (let n = 0; n < listed; n += 1) clicks.push(click);
  }
  return Array.from({ length: Math.ceil(clicks.length / CLICKS_AN_EVENT) }, (_, part) => {
    const from = part * CLICKS_AN_EVENT;
    const isLast = from + CLICKS_AN_EVENT >= clicks.length;
    return {
      id: derivedEventId([pack.id, hook.id, String(part)]),
      clientId,
      webhookId: hook.id,
      happenedAt: pack.at,
      data: {
        clicks: clicks.slice(from, from + CLICKS_AN_EVENT),
        ...(isLast && omitted > 0 && { omitted }),
      },
    };
  });
}

function toEventClick(pack: Pack, [link, profile, , agoMs]: PackedGroup, agents: readonly Visitor[]): EventClick {
  const [, country, referrer, agent, language] = pack.profiles[profile]!;
  const [via, utmMedium, utmCampaign] = sourceIn(pack, profile);
  const { kind, browser, os, device } = agent === null ? classifyVisitor(null) : agents[agent]!;
  return {
    at: toInstant(Math.max(0, pack.at - agoMs)),
    link_id: pack.links[link]![0],
    country,
    referrer,
    device,
    os,
    browser,
    language,
    kind,
    destination: pack.destinations?.[link] ?? 'default',
    via,
    utm_medium: utmMedium,
    utm_campaign: utmCampaign,
  };
}
