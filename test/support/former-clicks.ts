import { env } from 'cloudflare:workers';
import { moveClient } from '../../src/clicks/former/move.ts';
import { dayOf, DAY_MS } from '../../src/time/day.ts';
import { clicksOf, deliver, packOf } from './clicks.ts';
import { db, seedLink, seedTenant, statistics, type LinkRecord } from './seed.ts';
import { ask } from './stats.ts';

/** Clicks as version 1.2.0 and older ones have counted them, in D1. */

interface FormerClicks {
  /** The number of days until today that have these clicks. */
  readonly days: number;
  readonly campaign?: string;
  readonly humans: number;
  readonly bots: number;
}

/** Counts clicks of a link on each day, as a row for the link, one for the client and one for the campaign. */
export async function countBefore(link: LinkRecord, { days, campaign, humans, bots }: FormerClicks): Promise<void> {
  const subjects = [['link', link.id], ['client', ''], ...(campaign === undefined ? [] : [['campaign', campaign]])];
  const values = (human: string, bot = '') =>
    JSON.stringify({ [`h:${human}`]: humans, ...(bots > 0 && { [`b:${bot}`]: bots }) });
  const insert = env.DB.prepare(
    `INSERT INTO click_days (client_id, subject, name, day, humans, bots, previews, last_at, hours, countries, referrers,
       browsers, systems, devices, languages, links)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
     ON CONFLICT DO UPDATE SET humans = humans + excluded.humans, bots = bots + excluded.bots,
       last_at = max(last_at, excluded.last_at), ${BREAKDOWNS.map((column) => `${column} = ${merged(column)}`).join(', ')}`,
  );
  const rows = Array.from({ length: days }, (_, i) => Date.now() - i * DAY_MS).flatMap((at) =>
    subjects.map(([subject, name]) =>
      insert.bind(
        link.client_id,
        subject,
        name,
        dayOf(at),
        humans,
        bots,
        at,
        values('9', '10'),
        values('AT', 'US'),
        values('t.co'),
        values('Chrome'),
        values('Windows'),
        values('desktop'),
        values('de'),
        subject === 'client' ? values(link.id, link.id) : '{}',
      ),
    ),
  );
  await env.DB.batch(rows);
}

const BREAKDOWNS = ['hours', 'countries', 'referrers', 'browsers', 'systems', 'devices', 'languages', 'links'];

const merged = (column: string): string => `(
  SELECT json_group_object(key, clicks) FROM (
    SELECT key, sum(value) AS clicks FROM (
      SELECT key, value FROM json_each(click_days.${column}) UNION ALL SELECT key, value FROM json_each(excluded.${column})
    ) GROUP BY key))`;

/** Reads how far the clicks of a client are moved; null before it was begun. */
export function movesOf(clientId: string): Promise<Record<string, unknown> | null> {
  return env.DB.prepare('SELECT * FROM statistics_moves WHERE client_id = ?1').bind(clientId).first();
}

/** From where to where they are moved. */
export const sources = { db, statistics };

/** Moves the days of a client; false if it is not done within a minute. */
export const move = (clientId: string) => moveClient(sources, clientId, Date.now() + 60_000);

const QUESTIONS = [
  'by=day&from=2026-04-01',
  'by=hour&tz=Europe/Vienna',
  'by=country',
  'by=referrer',
  'by=browser',
  'by=os',
  'by=device',
  'by=language',
  'by=weekday&visitor=bot',
];

/** Two links with clicks of the version before and of this one, and all that can be asked about them. */
export async function openFormerClicks(days = 3) {
  const tenant = await seedTenant();
  const [one, other] = [await seedLink(tenant, { campaign_name: 'Spring' }), await seedLink(tenant)];
  // First, since the consumer moves what it finds of a client, and then not for an hour.
  await deliver([packOf({ ...one, campaign_name: 'Spring' }, 2), packOf(other, 1)]);
  await countBefore(one, { days, campaign: 'Spring', humans: 3, bots: 1 });
  await countBefore(other, { days: 1, humans: 2, bots: 0 });
  const answers = async () => {
    const paths = ['stats', 'campaigns/Spring/stats', `links/${one.id}/stats`, `links/${other.id}/stats`];
    const asked = paths.flatMap((path) => QUESTIONS.map((question) => `/v1/${path}?${question}`));
    const bodies = await Promise.all(
      [...asked, '/v1/stats?by=link'].map(async (path) => (await ask(tenant, path)).body),
    );
    return [...bodies, await clicksOf(tenant, one), await clicksOf(tenant, other)];
  };
  return { tenant, one, other, answers, clientId: tenant.clientId };
}
