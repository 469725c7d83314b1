import { env } from 'cloudflare:workers';
import { dayOf, DAY_MS } from '../../src/time/day.ts';
import type { LinkRecord } from './seed.ts';

/** Clicks as version 1.2.0 and older ones have counted them, in D1. */

export interface FormerClicks {
  /** How many days until today have these clicks. */
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

/** How far the clicks of a client are moved; null before it was begun. */
export function movesOf(clientId: string): Promise<Record<string, unknown> | null> {
  return env.DB.prepare('SELECT * FROM statistics_moves WHERE client_id = ?1').bind(clientId).first();
}
