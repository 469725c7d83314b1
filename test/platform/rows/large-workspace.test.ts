import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as example from '../../../scripts/reference/examples.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { deliver, packOf } from '../../support/clicks.ts';
import { D1_SESSION } from '../../support/d1.ts';
import { bytesOf } from '../../support/event-streams.ts';
import { openPages, ASKING_PAGE_NAMES, type PageRequest } from '../../support/pages.ts';
import { shareOf } from '../../support/share.ts';

const [LINKS, DAYS] = [10_000, 90];
/** The number of links that are clicked each day, and that of campaigns and tags. */
const [CLICKED, NAMES] = [40, 50];
const CLIENT = '/platform/c/:client';

/** The rows that a page may read in D1: who asks, and three times the rows of a list. */
const MAX_ROWS = 3 * 50 + 100;
/** Pages that count or read more, which is bounded too. */
const MORE: Readonly<Record<string, number>> = {
  // Of each link its tags and addresses, the count of up to 500 results, and the names of campaigns and tags for the
  // filters.
  [`GET ${CLIENT}/links`]: 50 * 12 + 500 + 6 * NAMES + MAX_ROWS,
  // Each campaign has the count of up to 1,000 of its links.
  [`GET ${CLIENT}/campaigns`]: LINKS + 3 * NAMES + MAX_ROWS,
  // So has each tag, whose links are all read, since deleted ones keep it.
  [`GET ${CLIENT}/tags`]: 2 * LINKS + 3 * NAMES + MAX_ROWS,
  // Their forms offer each tag and each campaign.
  [`GET ${CLIENT}/links/new`]: 2 * NAMES + MAX_ROWS,
  [`GET ${CLIENT}/links/:id/edit`]: 2 * NAMES + MAX_ROWS,
  [`GET ${CLIENT}/webhooks/:id`]: 2 * NAMES + MAX_ROWS,
  // The links that a key has created are found among the newest 2,000.
  [`GET ${CLIENT}/keys/:id`]: 2000 + MAX_ROWS,
  [`GET ${CLIENT}/links/export.csv`]: 12 * LINKS,
  [`GET ${CLIENT}/links/export.ndjson`]: 12 * LINKS,
};

const idOf = (i: number) => `large${String(i).padStart(5, '0')}`;

let requestOf: (name: string) => PageRequest;

beforeAll(async () => {
  // The invite and the sessions of the examples are valid then.
  vi.setSystemTime(example.NOW);
  ({ requestOf } = await openPages());
  const [client, now] = [example.CLIENT_ID, Date.now()];
  const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, (_, i) => i));
  const [id, name] = [`printf('large%05d', value)`, `'large ' || (value % ${NAMES})`];
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO tags (id, client_id, name, folded, colour, created_at)
       SELECT ${name}, ?1, ${name}, ${name}, 'grey', ?3 FROM json_each(?2)`,
    ).bind(client, numbers(NAMES), now),
    env.DB.prepare(
      `INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, campaign_name, created_at, updated_at, revision)
       SELECT ${id}, '', ${id}, ?1, 's', 'https://example.com/' || value, ${name}, ?3 - value, ?3, 1 FROM json_each(?2)`,
    ).bind(client, numbers(LINKS), now),
    env.DB.prepare(
      `INSERT INTO addresses (domain_id, folded, slug, link_id) SELECT '', ${id}, ${id}, ${id} FROM json_each(?1)`,
    ).bind(numbers(LINKS)),
    env.DB.prepare(
      `INSERT INTO link_tags (link_id, tag_id, created_at) SELECT ${id}, ${name}, ?2 - value FROM json_each(?1)`,
    ).bind(numbers(LINKS), now),
  ]);
  const days = Array.from({ length: DAYS }, (_, day) => ({ clicks: 3, at: now - day * DAY_MS }));
  await deliver(
    Array.from({ length: CLICKED }, (_, i) =>
      packOf({ id: idOf(i), client_id: client, campaign_name: `large ${i}` }, days),
    ),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => {
  vi.useRealTimers();
});

/** Sends the request for a page, and returns how many rows D1 has read for it. */
async function rowsReadFor({ send }: PageRequest): Promise<{ readonly status: number; readonly rows: number }> {
  const { mock } = vi.spyOn(D1_SESSION, 'batch');
  const response = await send();
  await bytesOf(response);
  const results = await Promise.all(mock.results.map(({ value }) => value as Promise<D1Result[]>));
  return { status: response.status, rows: results.flat().reduce((sum, { meta }) => sum + meta.rows_read, 0) };
}

describe('the pages of a workspace with 10,000 links and 90 days of clicks', () => {
  it.each(shareOf(ASKING_PAGE_NAMES.filter((name) => name.startsWith('GET '))))(
    'the page %s of a workspace with 10,000 links and 90 days of clicks reads few rows',
    async (name) => {
      const page = requestOf(name);
      const { status, rows } = await rowsReadFor(page);
      expect(status).toBe(page.status);
      expect(rows).toBeGreaterThan(0);
      expect(rows).toBeLessThanOrEqual(MORE[name] ?? MAX_ROWS);
    },
  );
});
