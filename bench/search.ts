import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { run } from '../scripts/cli-error.ts';
import { migrateDatabase, withDatabase } from '../scripts/database.ts';
import { startLocalWorker } from '../scripts/local-miniflare.ts';
import { createStateFolder } from '../scripts/state.ts';
import { actingParams, type Actor } from '../src/accounts/access.ts';
import { addUser, createKey } from '../src/accounts/operator.ts';
import type { Database, Statement } from '../src/database/database.ts';
import { END_OF_TIME } from '../src/input/pagination.ts';
import { listSqlOf } from '../src/links/list/list-sql.ts';
import { generateApiKey } from '../src/accounts/keys/api-key.ts';
import { CLIENT_ID, seedLinks } from './links.ts';
import { table } from './table.ts';

/**
 * `npm run bench:search`: the rows that D1 reads for a page of a search of 100,000 links, by its own count, and the time
 * of the statement. Each link has a campaign, a title and comments of 120 characters; every second one has a tag.
 */

const LINKS = 100_000;
const ROWS = 51;
const RUNS = 5;

const SEARCHED: readonly (readonly [what: string, q: string])[] = [
  ['in every destination', 'example'],
  ['in a tag', 'summer'],
  ['in titles of old links alone', 'title 4'],
  ['in none, ASCII', 'nowhere'],
  ['in none, 4 letters of another alphabet', 'жжёт'],
  ['in none, 33 letters of another alphabet', 'съешь ещё этих мягких французских булок, да выпей чаю'],
];

/** Responds to a statement with its rows, and with the rows and milliseconds that D1 counts for it. */
const WORKER = `export default {
  async fetch(request, { DB }) {
    const { sql, params } = await request.json();
    const { results, meta } = await DB.prepare(sql).bind(...params).all();
    return Response.json({ found: results.filter(({ fits }) => fits === 1).length, read: meta.rows_read, ms: meta.duration });
  },
}`;
const outcome = z.object({ found: z.number(), read: z.number(), ms: z.number() });

await run(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'terse-search-'));
  try {
    const key = generateApiKey();
    await withDatabase(folder, (db) => seed(db, key));
    const credential = { kind: 'api_key', keyId: key.id, secretHash: key.secretHash } as const;
    const actor: Actor = { credential, clientId: CLIENT_ID };
    const local = await startLocalWorker(createStateFolder(folder), ({ d1Databases }) => ({
      modules: true,
      script: WORKER,
      d1Databases,
    }));
    const measure = async (statement: Statement) => {
      const response = await local.miniflare.dispatchFetch('http://d1/', {
        method: 'POST',
        body: JSON.stringify(statement),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return outcome.parse(JSON.parse(text));
    };
    try {
      const rows = [];
      for (const [what, q] of SEARCHED) {
        const { sql, params } = listSqlOf({ q }, END_OF_TIME, ROWS);
        const statement = { sql, params: [...actingParams(actor, 'links:read', Date.now()), ...params] };
        const { found, read } = await measure(statement);
        const times = [];
        for (let n = 0; n < RUNS; n++) times.push((await measure(statement)).ms);
        rows.push([what, found, read, times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0].map(String));
      }
      console.log(table([['a text that is', 'links found', 'rows read', 'ms'], ...rows]));
    } finally {
      await local.end();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function seed(db: Database, key: ReturnType<typeof generateApiKey>): Promise<void> {
  await migrateDatabase(db);
  await addUser(db, { name: 'bench', password: 'bench', clientId: CLIENT_ID });
  await createKey(db, CLIENT_ID, 'bench', null, key);
  await seedLinks(db, 0, LINKS);
  await db.batch(
    [
      `UPDATE links SET created_at = rank, title = 'Title ' || rank, comments = printf('%.120c', 'c')
       FROM (SELECT id AS ranked, row_number() OVER (ORDER BY id) AS rank FROM links) WHERE ranked = id`,
      `INSERT INTO tags (id, client_id, name, folded, colour, created_at)
       VALUES ('tag', '${CLIENT_ID}', 'Summer', 'summer', 'red', 0)`,
      `INSERT INTO link_tags (link_id, tag_id, created_at)
       SELECT id, 'tag', created_at FROM links WHERE created_at % 2 = 0`,
    ].map((sql) => ({ sql, params: [] })),
  );
}
