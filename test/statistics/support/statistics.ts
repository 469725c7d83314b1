import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Delivery, DeliveredProfile } from '../../../src/statistics/append/delivery.ts';
import type { Kind } from '../../../src/statistics/facts.ts';
import { dayNumberOf } from '../../../src/statistics/questions/subject-clicks.ts';
import type { ClientStatistics } from '../../../src/statistics/object.ts';
import type { DayClicks, Question } from '../../../src/statistics/questions/questions.ts';
import { HOUR_MS } from '../../../src/time/day.ts';

/** An object with the statistics of a client of its own. */
export interface Statistics {
  readonly stub: DurableObjectStub<ClientStatistics>;
  /** Runs in the object, with its SQL. */
  readonly rows: (sql: string, ...params: readonly SqlStorageValue[]) => Promise<Record<string, SqlStorageValue>[]>;
  readonly ask: (question?: Partial<Question>) => Promise<DayClicks[]>;
  /** Makes deliveries an hour older, since those of the last minute are not folded. */
  readonly age: () => Promise<void>;
  /** Runs the alarm of an hour later, until nothing is left to fold. */
  readonly fold: () => Promise<void>;
  /** Ends the object in memory, as when it is moved; its storage stays. */
  readonly restart: () => Promise<void>;
  /** Ends it in the middle of what it does; `stub` is a new one afterwards. */
  readonly crash: () => Promise<void>;
}

let objects = 0;

export const TODAY = dayNumberOf(Date.now());

export function openStatistics(): Statistics {
  const id = env.STATISTICS.idFromName(`client-${++objects}-${crypto.randomUUID()}`);
  const stub = () => env.STATISTICS.get(id);
  const rows: Statistics['rows'] = (sql, ...params) =>
    runInDurableObject(stub(), (_object, { storage }) => [...storage.sql.exec(sql, ...params)]);
  const age = async () => void (await rows('UPDATE deliveries SET at = at - ?1', HOUR_MS));
  return {
    get stub() {
      return stub();
    },
    rows,
    age,
    ask: (question) => {
      // Not `TODAY`, since a test can move the clock.
      const to = dayNumberOf(Date.now());
      return stub().ask({ subject: { kind: 'client' }, from: to - 400, to, by: [], filters: {}, ...question });
    },
    async fold() {
      do {
        await age();
        await runDurableObjectAlarm(stub());
      } while ((await rows('SELECT 1 FROM deliveries')).length > 0);
    },
    restart: () => evictDurableObject(stub()),
    async crash() {
      await runInDurableObject(stub(), (_object, state) => state.abort('crashed')).catch(() => undefined);
    },
  };
}

/** One click, or several that are the same. */
export interface TestClick {
  readonly pack?: string;
  readonly link?: string;
  readonly campaign?: string | null;
  /** Milliseconds since the epoch. */
  readonly at?: number;
  readonly kind?: Kind;
  readonly country?: string | null;
  readonly referrer?: string | null;
  readonly browser?: string | null;
  readonly os?: string | null;
  readonly device?: string | null;
  readonly language?: string | null;
  readonly destination?: string | null;
  readonly via?: string | null;
  readonly utm_medium?: string | null;
  readonly utm_campaign?: string | null;
  readonly clicks?: number;
  readonly marks?: string;
}

/** A delivery with a group for each click; clicks without a pack are in one of their own. */
export function deliveryOf(...clicks: readonly TestClick[]): Delivery {
  const own = crypto.randomUUID();
  const packs = [...new Set(clicks.map(({ pack = own }) => pack))];
  return {
    packs: packs.map((id) => [id, Date.now()]),
    links: clicks.map(({ link = 'link-1', campaign = null }) => [link, campaign]),
    profiles: clicks.map(profileOf),
    groups: clicks.map(({ pack = own, clicks: count = 1, at = Date.now(), marks = '' }, index) => [
      packs.indexOf(pack),
      index,
      index,
      count,
      at,
      marks,
    ]),
  };
}

function profileOf({ at = Date.now(), kind = 'human', ...words }: TestClick): DeliveredProfile {
  const { country = 'AT', referrer = null, browser = 'Firefox', os = 'Linux', device = 'desktop' } = words;
  const { language = 'de', destination = null } = words;
  const { via = 'link', utm_medium: medium = null, utm_campaign: utmCampaign = null } = words;
  const visitor = [country, referrer, browser, os, device, language] as const;
  return [Math.floor(at / HOUR_MS), kind, ...visitor, destination, via, medium, utmCampaign];
}
