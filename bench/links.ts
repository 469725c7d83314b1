import type { Database } from '../src/database/database.ts';
import { toVisitorContent } from '../src/links/fields/visitors.ts';
import type { Target } from '../src/links/link.ts';

/** The client of the bench. */
export const CLIENT_ID = 'bench';

const CHUNK = 100_000;

/** The slug, which is also the id, of a link of `seedLinks`. */
export function slugOf(link: number): string {
  return `L${String(link).padStart(7, '0')}`;
}

export function pathsOf(links: readonly number[]): string[] {
  return links.map((link) => `/${slugOf(link)}`);
}

/** The numbers from `first` up to, but not including, `end`. */
export function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}

/** The KV entry of such a link once it is hot, with its fields in the same order: entries are compared as texts. */
export function targetOf(link: number): Target {
  return {
    linkId: slugOf(link),
    clientId: CLIENT_ID,
    ...toVisitorContent({
      url: `https://example.com/a/long/page/${link}`,
      campaign_name: `campaign ${link % 100}`,
      expires_at: null,
    }),
    ending: null,
    extras: null,
    revision: 1,
  };
}

/** Creates the links from number `first` up to, but not including, `end`; each has a campaign, like most links. */
export async function seedLinks(db: Database, first: number, end: number, clientId = CLIENT_ID): Promise<void> {
  for (let from = first; from < end; from += CHUNK) {
    // D1 binds every number of JavaScript as a real number, which SQL would write as 5.0.
    const numbers = `WITH RECURSIVE numbers (n) AS (
      SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2
    )`;
    const bounds = [from, Math.min(from + CHUNK, end)];
    await db.batch([
      {
        sql: `${numbers}
          INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, campaign_name,
            created_at, updated_at, revision)
          SELECT printf('L%07d', n), '', printf('L%07d', n), ?3, 'print', 'https://example.com/a/long/page/' || n,
            'campaign ' || (n % 100), 1, 1, 1
          FROM numbers`,
        params: [...bounds, clientId],
      },
      {
        sql: `${numbers}
          INSERT INTO addresses (domain_id, folded, slug, link_id)
          SELECT '', lower(printf('L%07d', n)), printf('L%07d', n), printf('L%07d', n) FROM numbers`,
        params: bounds,
      },
    ]);
  }
}
