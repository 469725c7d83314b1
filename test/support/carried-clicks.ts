import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { ValueClicks } from '../../src/statistics/days/sums.ts';
import { dayNumberOf, dayOf, DAY_MS } from '../../src/time/day.ts';
import { carryDays, type CarriedDay } from '../statistics/support/carried-days.ts';
import type { LinkRecord } from './seed.ts';

/** Clicks that version 1.2.0 has counted, in the object of their client, to which version 1.3.0 has moved them. */

interface CarriedClicks {
  /** The number of days until today that have these clicks. */
  readonly days: number;
  readonly campaign?: string;
  readonly humans: number;
  readonly bots: number;
}

/** Adds clicks of a link to each day: to those of the link, of the client and of the campaign. */
export async function carryClicks(link: LinkRecord, { days, campaign, humans, bots }: CarriedClicks): Promise<void> {
  const value = (human: string, bot = ''): ValueClicks[] => [
    { value: human, humans, bots: 0, previews: 0 },
    ...(bots > 0 ? [{ value: bot, humans: 0, bots, previews: 0 }] : []),
  ];
  const by = {
    hour: value('9', '10'),
    country: value('AT', 'US'),
    referrer: value('t.co'),
    browser: value('Chrome'),
    os: value('Windows'),
    device: value('desktop'),
    language: value('de'),
  };
  const carried = Array.from({ length: days }, (_, i) => Date.now() - i * DAY_MS).flatMap((lastAt): CarriedDay[] => {
    const day = { day: dayNumberOf(dayOf(lastAt)), humans, bots, previews: 0, lastAt, by };
    return [
      { ...day, subject: { kind: 'link', name: link.id } },
      { ...day, subject: { kind: 'client' }, by: { ...by, link: value(link.id, link.id) } },
      ...(campaign === undefined ? [] : [{ ...day, subject: { kind: 'campaign', name: campaign } as const }]),
    ];
  });
  await runInDurableObject(env.STATISTICS.getByName(link.client_id), (_object, { storage }) =>
    carryDays(storage, carried, dayNumberOf(dayOf(Date.now()))),
  );
}
