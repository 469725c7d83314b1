import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Limit, Taken } from '../../../src/link-limit/limit.ts';
import type { LinkLimit } from '../../../src/link-limit/object.ts';

/** The object of a link of its own. */
export interface TestedLimit {
  readonly linkId: string;
  readonly stub: DurableObjectStub<LinkLimit>;
  /** Takes a place by a new id, or by this one. */
  readonly take: (limit: Limit, id?: string) => Promise<Taken>;
  /** Takes places one after the other, and returns how many it got. */
  readonly takeMany: (limit: Limit, times: number) => Promise<number>;
  /** Runs in the object, with its SQL. */
  readonly rows: (sql: string) => Promise<Record<string, SqlStorageValue>[]>;
  /** Ends the object in memory, as when it is moved; its storage stays. */
  readonly restart: () => Promise<void>;
}

export function openLimit(): TestedLimit {
  const linkId = `link-${crypto.randomUUID()}`;
  const stub = () => env.LIMITS.getByName(linkId);
  const take: TestedLimit['take'] = async (limit, id = crypto.randomUUID()) => stub().take({ id, ...limit });
  return {
    linkId,
    get stub() {
      return stub();
    },
    take,
    async takeMany(limit, times) {
      let taken = 0;
      for (let time = 0; time < times; time++) taken += Number((await take(limit)).isTaken);
      return taken;
    },
    rows: (sql) => runInDurableObject(stub(), (_object, { storage }) => [...storage.sql.exec(sql)]),
    restart: () => evictDurableObject(stub()),
  };
}

/** An edit of a link whose limit was set at 1,000. */
export const limitOf = (max: number, revision = 1000, since = 1000): Limit => ({ max, since, revision });

/** All tables that an object has stored. */
export const tablesOf = ({ rows }: TestedLimit): Promise<unknown[]> =>
  rows(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY name`);
