import { addActiveDomain } from '../../../src/domains/domains.ts';
import { dayNumberOf, dayOf } from '../../../src/time/day.ts';
import type { ValueClicks } from '../../../src/statistics/days/sums.ts';
import type { CarriedDay } from '../../statistics/support/carried-days.ts';
import { ORIGIN } from './browser.ts';
import { onDatabase, seedAccount, type Account } from './seed.ts';
import { storeDays, storeVisitors } from './stored-statistics.ts';

/** The workspace of a shop whose pages the front page shows, with the clicks of eight weeks. */

const HOST = 'acme.example';
const DAYS = 56;

interface ShopLink {
  readonly slug: string;
  readonly title: string;
  readonly path: string;
  readonly campaign_name?: string;
  readonly tags: readonly string[];
  /** Clicks of people on a usual day. */
  readonly usual: number;
  /** Days ago on which it was sent out, and how many times as many clicks there were. */
  readonly sent?: readonly [ago: number, times: number];
}

const LINKS: readonly ShopLink[] = [
  {
    slug: 'spring',
    title: 'Spring sale: all tents',
    path: 'spring/tents?utm_source=newsletter&utm_medium=email&utm_campaign=spring-sale',
    campaign_name: 'Spring sale',
    tags: ['Email', 'Print', 'Paid', 'Store'],
    usual: 41,
    sent: [9, 8],
  },
  {
    slug: 'feb',
    title: 'Newsletter, February issue',
    path: 'journal/february?utm_source=newsletter&utm_medium=email',
    campaign_name: 'Newsletter',
    tags: ['Email'],
    usual: 9,
    sent: [17, 52],
  },
  {
    slug: 'tent',
    title: 'Alpine Lite 2: the two-person tent',
    path: 'shop/tents/ultralight/alpine-lite-2?colour=moss&ref=spring',
    campaign_name: 'Spring sale',
    tags: ['Paid', 'Social'],
    usual: 38,
    sent: [9, 3],
  },
  {
    slug: 'insta',
    title: 'Link in our Instagram bio',
    path: 'hello?utm_source=instagram',
    tags: ['Social', 'Evergreen'],
    usual: 33,
  },
  { slug: 'boots', title: 'Winter boots, last pairs', path: 'sale/winter/boots', tags: ['Print', 'Store'], usual: 24 },
  { slug: 'stores', title: 'Find a store near you', path: 'stores?utm_source=flyer', tags: ['Store'], usual: 14 },
  {
    slug: 'trail',
    title: 'Trail guide: eight days in the Dolomites',
    path: 'guides/dolomites-alta-via-1.pdf',
    campaign_name: 'Newsletter',
    tags: ['Email'],
    usual: 11,
  },
  {
    slug: 'members',
    title: 'Members’ preview of the summer range',
    path: 'preview/summer',
    campaign_name: 'Newsletter',
    tags: ['Email'],
    usual: 6,
    sent: [12, 4],
  },
];

/** Creates the workspace, its links and their clicks. */
export async function seedShop(): Promise<Account> {
  const account = await seedAccount();
  await onDatabase(async (db) => {
    await addActiveDomain(db, HOST, account.clientId);
    await db.batch([
      // The first steps would stand above the numbers.
      {
        sql: 'UPDATE clients SET name = ?1, first_steps_ended_at = ?2 WHERE id = ?3',
        params: ['Acme Outdoor', Date.now(), account.clientId],
      },
      { sql: 'UPDATE users SET name = ?1 WHERE name = ?2', params: ['Mara Lindt', account.userName] },
    ]);
  });
  const ids: string[] = [];
  // One after the other, since the list is in their order.
  for (const { usual: _usual, sent: _sent, path, ...link } of LINKS.toReversed())
    ids.unshift(await create(account, { ...link, url: `https://acme-outdoor.example/${path}`, custom_domain: HOST }));
  const days = daysOf(ids);
  storeDays(account.clientId, days);
  storeVisitors(account.clientId, visitorsOf(days));
  return { ...account, userName: 'Mara Lindt' };
}

async function create(account: Account, fields: object): Promise<string> {
  const response = await fetch(`${ORIGIN}/v1/links`, {
    method: 'POST',
    headers: { 'X-API-Key': account.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_id: account.clientId, ...fields }),
  });
  if (!response.ok) throw new Error(`no link: ${await response.text()}`);
  const { result } = (await response.json()) as { result: string };
  return (JSON.parse(result) as { id: string }).id;
}

function daysOf(ids: readonly string[]): CarriedDay[] {
  const today = dayNumberOf(dayOf(Date.now()));
  return Array.from({ length: DAYS }, (_, ago) => {
    const people = LINKS.map((link, index) => clicksOf(link, index, ago));
    const sum = people.reduce((one, other) => one + other, 0);
    return [
      dayWith(
        { kind: 'client' },
        today - ago,
        sum,
        ids.map((id, index) => only(id, people[index] ?? 0)),
      ),
      ...ids.map((id, index) => dayWith({ kind: 'link', name: id }, today - ago, people[index] ?? 0, [])),
    ];
  }).flat();
}

/** Of seven visits, six are those of visitors who come once a day. */
const visitorsOf = (days: readonly CarriedDay[]): Map<number, number> =>
  new Map(
    days.flatMap(({ subject, day, humans }) =>
      subject.kind === 'client' ? [[day, Math.round((humans * 6) / 7)]] : [],
    ),
  );

/** The clicks of a day: fewer at weekends, more where it was sent out, which then wears off. Always the same. */
function clicksOf({ usual, sent }: ShopLink, index: number, ago: number): number {
  const wave = 1 + 0.18 * Math.sin(ago * 1.7 + index * 2.3) + 0.08 * Math.sin(ago * 0.45 + index);
  const weekend = ago % 7 === 5 || ago % 7 === 6 ? 0.7 : 1;
  const [since, times] = sent ?? [0, 1];
  const sentOut = sent !== undefined && ago <= since ? 1 + (times - 1) * Math.exp(-(since - ago) / 2.6) : 1;
  return Math.round(usual * wave * weekend * sentOut);
}

const only = (value: string, humans: number): ValueClicks => ({ value, humans, bots: 0, previews: 0 });

function dayWith(subject: CarriedDay['subject'], day: number, humans: number, link: ValueClicks[]): CarriedDay {
  const bots = Math.round(humans / 9);
  const previews = Math.round(humans / 14);
  const split = (parts: Readonly<Record<string, number>>): ValueClicks[] =>
    Object.entries(parts).map(([value, part]) => only(value, Math.round(humans * part)));
  return {
    subject,
    day,
    humans,
    bots,
    previews,
    lastAt: 1,
    by: {
      hour: [{ value: '9', humans, bots, previews }],
      country: split({ DE: 0.42, AT: 0.21, CH: 0.17, FR: 0.08, US: 0.07, GB: 0.05 }),
      referrer: split({ '': 0.48, 'instagram.com': 0.22, 'google.com': 0.16, 'mail.google.com': 0.14 }),
      browser: split({ Safari: 0.44, Chrome: 0.36, Firefox: 0.12, Edge: 0.08 }),
      device: split({ mobile: 0.63, desktop: 0.32, tablet: 0.05 }),
      via: split({ link: 0.68, newsletter: 0.21, qr: 0.11 }),
      link,
    },
  };
}
