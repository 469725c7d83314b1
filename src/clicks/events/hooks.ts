import { BoundedMap } from '../../isolate/bounded-map.ts';
import type { Database } from '../../database/database.ts';
import { DeliveryPace } from '../../events/delivery-pace.ts';
import { selectWebhooksFor } from '../../events/record.ts';

/** A webhook that is sent clicks. */
export interface ClickHook {
  readonly id: string;
  readonly tagId: string | null;
  readonly campaign: string | null;
}

interface HookRow {
  readonly id: string;
  readonly client_id: string;
  readonly tag_id: string | null;
  readonly campaign: string | null;
  /** True if too many deliveries wait for it. */
  readonly is_full: number;
}

interface Known {
  /** When the database was read, in milliseconds since the epoch. */
  readonly at: number;
  readonly hooks: readonly ClickHook[];
  /** True if the client has none, not even one that is full. */
  readonly hasNone: boolean;
}

/** The time for which an isolate remembers the webhooks of a client: then a new one gets clicks at the latest. */
export const REMEMBERED_MS = 30_000;

/** While so many deliveries of a webhook wait, as when its server is down, it gets no further clicks. */
export const MAX_WAITING = 20_000;

const MAX_CLIENTS = 10_000;

/** Remembers which clients have a webhook for clicks, so that the clicks of all others cost no more than that question. */
export class ClickHooks {
  /** When deliveries of clicks are due. */
  readonly pace = new DeliveryPace();
  readonly #known = new BoundedMap<string, Known>(MAX_CLIENTS);

  /** The webhooks of those of some clients that have any. Throws what the database throws. */
  async of(db: Database, clientIds: readonly string[]): Promise<ReadonlyMap<string, readonly ClickHook[]>> {
    const now = Date.now();
    const unknown = clientIds.filter((id) => !(Math.abs(now - (this.#known.get(id)?.at ?? 0)) < REMEMBERED_MS));
    // One batch may have more clients than are remembered.
    const found = new Map(clientIds.map((id) => [id, this.#known.get(id)?.hooks ?? []]));
    if (unknown.length > 0) {
      const [rows] = await db.batch<[HookRow]>([selectWebhooksFor('link.clicked', unknown, MAX_WAITING)]);
      const byClient = Map.groupBy(rows, ({ client_id }) => client_id);
      for (const id of unknown) {
        const ofClient = byClient.get(id) ?? [];
        const hooks = ofClient
          .filter((row) => row.is_full === 0)
          .map((row) => ({ id: row.id, tagId: row.tag_id, campaign: row.campaign }));
        found.set(id, hooks);
        this.#known.set(id, { at: now, hooks, hasNone: ofClient.length === 0 });
      }
    }
    return new Map([...found].filter(([, hooks]) => hooks.length > 0));
  }

  /** When the database had no webhook for clicks of a client, in milliseconds since the epoch; null if that is not known. */
  noneAt(clientId: string): number | null {
    const known = this.#known.get(clientId);
    return known?.hasNone ? known.at : null;
  }
}
