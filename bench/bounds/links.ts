import type { Database } from '../../src/database/database.ts';
import type { Condition } from '../../src/links/routes/conditions/table.ts';
import { MAX_JSON_BYTES } from '../../src/links/fields/combinations.ts';
import { CLIENT_ID, range, seedLinks, slugOf } from '../links.ts';
import type { Headers } from '../requests.ts';

/** The most that an owner may write and that a visit by others pays for, each with the visit that costs most. */

/** Links with the same fields, and a visit of one of them. */
export interface Bound {
  readonly what: string;
  /** The number of such links that are visited in turn. */
  readonly links: number;
  /** The columns that differ from a plain link, by name. */
  readonly columns: Readonly<Record<string, string>>;
  /** The part of the URL after the slug. */
  readonly search?: string;
  readonly headers?: Headers;
  /** The status of the response; 302 if left out. */
  readonly status?: number;
}

const URL_AT_MOST = 8000;
const HOST = `${'a.'.repeat(120)}example`;
const LONG_QUERY = `?${'a&'.repeat(URL_AT_MOST / 2)}`;
const ZONES = Intl.supportedValuesOf('timeZone');
// More than fit into the share of memory for large links, so that each visit reads and compiles the link again.
const MORE_THAN_FIT = 30;
const COUNTRIES = range(0, 250).map((index) => String.fromCodePoint(65 + (index % 26), 65 + Math.floor(index / 26)));
const BOT = 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)';

export const BOUNDS = {
  zones_stored: {
    what: 'hours in 180 zones, stored before the bound of 8; 10 links',
    links: 10,
    columns: { rules: rulesOf((index) => hours(ZONES[index % 180] ?? 'UTC')) },
  },
  zones_stored_many: {
    what: 'the same, 30 links',
    links: MORE_THAN_FIT,
    columns: { rules: rulesOf((index) => hours(ZONES[index % 180] ?? 'UTC')) },
  },
  zones: {
    what: 'hours in 8 zones, 16 KiB of rules; 30 links',
    links: MORE_THAN_FIT,
    columns: { rules: rulesOf((index) => hours(ZONES[index % 8] ?? 'UTC')) },
  },
  query: {
    what: 'conditions of one parameter, which the visit has thousands of times',
    links: 1,
    columns: { rules: rulesOf(() => ({ type: 'query', name: 'z', in: ['b'], not: true })) },
    search: `?${'z=&'.repeat(URL_AT_MOST / 3)}`,
  },
  referrer: {
    what: 'conditions of referrers, from a host with 121 labels',
    links: 1,
    columns: { rules: rulesOf(() => ({ type: 'referrer', in: ['a.b'], not: true })) },
    headers: { Referer: `https://${HOST}/` },
  },
  language: {
    what: 'conditions of languages, from a tag with 199 subtags',
    links: 1,
    columns: { rules: rulesOf(() => ({ type: 'language', in: ['de'], not: true })) },
    headers: { 'Accept-Language': `x${'-a'.repeat(199)}` },
  },
  dates: {
    what: 'conditions of dates; 30 links',
    links: MORE_THAN_FIT,
    columns: { rules: rulesOf(() => ({ type: 'date', from: '2020-01-01T00:00:00.000Z' })) },
  },
  values: {
    what: 'lists of 250 countries; 30 links',
    links: MORE_THAN_FIT,
    columns: { rules: rulesOf(() => ({ type: 'country', in: COUNTRIES, not: true })) },
  },
  variants: {
    what: 'eight variants',
    links: 1,
    columns: {
      variants: JSON.stringify(
        range(0, 8).map((index) => ({ name: `V${index}`, url: `https://example.com/${index}`, weight: 1 })),
      ),
    },
  },
  forward_query: {
    what: 'a query that overrides, of 8,000 characters as that of the destination',
    links: 1,
    columns: { url: `https://example.com/${LONG_QUERY}`, forward_query: 'override' },
    search: LONG_QUERY,
  },
  preview: {
    what: 'a preview with texts as long as they can be',
    links: 1,
    columns: {
      preview: JSON.stringify({ title: '<'.repeat(200), description: '<'.repeat(500), image: 'https://example.com/' }),
    },
    headers: { 'User-Agent': BOT },
    status: 200,
  },
} satisfies Readonly<Record<string, Bound>>;

export type BoundName = keyof typeof BOUNDS;
export const BOUND_NAMES = Object.keys(BOUNDS) as readonly BoundName[];

/** The number of the first link of a bound; number 0 is a plain link. */
export function firstLinkOf(name: BoundName): number {
  const before = BOUND_NAMES.slice(0, BOUND_NAMES.indexOf(name));
  return before.reduce((sum, each) => sum + BOUNDS[each].links, 1);
}

export async function seedBounds(db: Database): Promise<void> {
  await seedLinks(db, 0, 1);
  for (const name of BOUND_NAMES) {
    const first = firstLinkOf(name);
    const { links, columns }: Bound = BOUNDS[name];
    await seedLinks(db, first, first + links);
    for (const [column, value] of Object.entries(columns)) {
      const ids = JSON.stringify(range(first, first + links).map(slugOf));
      await db.batch([
        {
          sql: `UPDATE links SET ${column} = ?2 WHERE client_id = ?3 AND id IN (SELECT value FROM json_each(?1))`,
          params: [ids, value, CLIENT_ID],
        },
      ]);
    }
  }
}

/**
 * As many rules with such conditions as fit, none of which decides: the last condition of each does not hold, and all
 * others do.
 */
function rulesOf(condition: (index: number) => Condition): string {
  const last: Condition = { type: 'date', until: '2020-01-01T00:00:00.000Z' };
  let text = '[]';
  for (let count = 1; ; count += 1) {
    const rules = Array.from({ length: Math.ceil(count / 19) }, (_, rule) => ({
      name: `R${rule}`,
      if: [...range(19 * rule, Math.min(count, 19 * rule + 19)).map(condition), last],
      url: 'https://example.com/',
    }));
    const longer = JSON.stringify(rules);
    if (rules.length > 20 || longer.length > MAX_JSON_BYTES) return text;
    text = longer;
  }
}

// Hours that hold except for one minute of a day.
function hours(tz: string): Condition {
  return { type: 'hours', from: '00:00', until: '23:59', tz };
}
