import type { Database } from '../../database/database.ts';
import { matchesFilter } from '../../events/matches.ts';
import type { DeliveryPace } from '../../events/delivery-pace.ts';
import { bodyOf } from '../../links/events/body-of.ts';
import { remindOf, type EventMessage, type WebhookQueue } from './messages.ts';
import { dispatchEvents, selectCandidates, type CandidateRow, type CreatedRow, type TimedPair } from './store.ts';

export interface DispatchStores {
  readonly db: Database;
  readonly queue: WebhookQueue;
  readonly publicUrl: URL | null;
  /** That of the isolate. */
  readonly pace: DeliveryPace;
}

/** The origin of short links if neither `PUBLIC_URL` nor a request is known: the port of `npm start`. */
const LOCAL_ORIGIN = 'http://localhost:8787';

/**
 * Creates a delivery of each event for each webhook that wants it, and sends the deliveries to the queue. An event is
 * dispatched once, however often it is sent. Throws what the database throws.
 */
export async function dispatch(
  { db, queue, publicUrl, pace }: DispatchStores,
  messages: readonly EventMessage[],
): Promise<void> {
  const [candidates] = await db.batch<[CandidateRow]>([selectCandidates(messages.map(({ event }) => event))]);
  if (candidates.length === 0) return;
  const origins = new Map(
    [
      ...candidates.map(({ event_id: event, origin }) => [event, origin] as const),
      ...messages.map(({ event, origin }) => [event, origin ?? null] as const),
    ].filter(([, origin]) => origin !== null),
  );
  const bodies = new Map(
    candidates.map(({ event_id: id, happened_at: happenedAt, data }) => [
      id,
      bodyOf({ happenedAt, data }, { publicUrl, requestUrl: new URL(origins.get(id) ?? LOCAL_ORIGIN) }),
    ]),
  );
  const now = Date.now();
  const pairs = candidates.filter(isWanted).map((row) => timedPair(row, pace.next(row.client_id, now)));
  const [created] = await db.batch<[CreatedRow, never]>(dispatchEvents([...bodies], pairs, now));
  await remindOf(
    queue,
    created.map(({ webhook_id: webhook, event_id: event, next_try_at: at }) => ({ webhook, event, at })),
    now,
  );
}

type Wanted = CandidateRow & { readonly webhook_id: string };

function isWanted(row: CandidateRow): row is Wanted {
  const { webhook_id: webhookId, tag_id: tagId, campaign, link_tags: linkTags, link_campaign: linkCampaign } = row;
  if (webhookId === null) return false;
  return row.is_own === 1 || matchesFilter({ tagId, campaign }, { linkTags, linkCampaign });
}

const timedPair = ({ webhook_id: webhookId, event_id: eventId }: Wanted, at: number): TimedPair => [
  webhookId,
  eventId,
  at,
];
