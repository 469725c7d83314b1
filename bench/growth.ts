import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrateDatabase, withDatabase } from '../scripts/database.ts';
import { run } from '../scripts/cli-error.ts';
import { withProgress } from '../scripts/progress.ts';
import { countPacks } from '../src/clicks/count.ts';
import type { Pack } from '../src/clicks/pack.ts';
import type { Database } from '../src/database.ts';
import { HOUR_MS } from '../src/time/day.ts';

/**
 * `npm run bench:growth`: how much the database grows by a million clicks of people from all over the world, on 1,000
 * links of 10 clients, over 30 days. `--clicks N` for another number.
 */

const LINKS = 1000;
const CLIENTS = 10;
const DAYS = 30;
const CLICKS_PER_PACK = 500;
const PACKS_PER_BATCH = 10;
const DAY_MS = 24 * 3600 * 1000;

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];
const COUNTRIES = ['US', 'DE', 'AT', 'IN', 'BR', 'JP', 'FR', 'GB', 'NG', 'ID', 'MX', 'PL', 'IT', 'ES', 'KR', 'CA'];
const REFERRERS = [null, 'www.google.com', 't.co', 'www.linkedin.com', 'news.example', 'mail.example', 'forum.example'];
const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ja', 'hi', 'id', 'pl', 'it', 'ko'];

await run(async () => {
  const { values } = parseArgs({ options: { clicks: { type: 'string', default: '1000000' } } });
  const clicks = Number(values.clicks);
  const persistTo = mkdtempSync(join(tmpdir(), 'terse-growth-'));
  try {
    const { rows, written } = await withDatabase(persistTo, async (db) => {
      await migrateDatabase(db);
      const before = await countChanges(db);
      // Day by day, in the order of real clicks.
      let sent = 0;
      const send = async () => {
        for (; sent < clicks; sent += CLICKS_PER_PACK * PACKS_PER_BATCH) {
          const day = Math.floor((sent / clicks) * DAYS);
          const at = Date.now() - (DAYS - day) * DAY_MS;
          await countPacks(
            db,
            Array.from({ length: PACKS_PER_BATCH }, () => randomPack(at)),
          );
        }
      };
      await withProgress(() => `Counting (${sent} of ${clicks} clicks)`, send);
      const rows = await countRows(db);
      return { rows, written: (await countChanges(db)) - before };
    });
    console.log(`${clicks} clicks on ${LINKS} links of ${CLIENTS} clients over ${DAYS} days:`);
    for (const [table, count] of Object.entries(rows)) console.log(`  ${table}: ${count} rows`);
    console.log(`  ${written} rows written, ${(written / clicks).toFixed(2)} a click`);
    console.log(`  ${(sizeOf(persistTo) / 1e6).toFixed(1)} MB`);
  } finally {
    rmSync(persistTo, { recursive: true, force: true });
  }
});

function randomPack(at: number): Pack {
  const packedAt = Date.now();
  const clicks = Array.from({ length: CLICKS_PER_PACK }, () => at + random(DAY_MS));
  return {
    id: crypto.randomUUID(),
    at: packedAt,
    links: Array.from({ length: LINKS }, (_, i) => [
      `link${i}`,
      `client${i % CLIENTS}`,
      i % 2 ? `campaign ${i % 100}` : null,
    ]),
    agents: AGENTS,
    profiles: clicks.map((clickedAt) => [
      Math.floor(clickedAt / HOUR_MS),
      COUNTRIES[random(COUNTRIES.length)] ?? null,
      REFERRERS[random(REFERRERS.length)] ?? null,
      random(AGENTS.length),
      LANGUAGES[random(LANGUAGES.length)] ?? null,
    ]),
    groups: clicks.map((clickedAt, profile) => [
      random(LINKS),
      profile,
      1,
      packedAt - clickedAt,
      crypto.randomUUID().slice(0, 8),
    ]),
  };
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}

async function countChanges(db: Database): Promise<number> {
  const row = await db.first<{ readonly n: number }>({ sql: 'SELECT total_changes() AS n', params: [] });
  return row?.n ?? 0;
}

async function countRows(db: Database): Promise<Record<string, number>> {
  const tables = ['click_days', 'visitor_marks', 'seen_packs'];
  const counts = await db.batch<{ readonly n: number }[]>(
    tables.map((table) => ({ sql: `SELECT count(*) AS n FROM ${table}`, params: [] })),
  );
  return Object.fromEntries(tables.map((table, index) => [table, counts[index]?.[0]?.n ?? 0]));
}

function sizeOf(folder: string): number {
  return globSync('**/d1/**/*.sqlite', { cwd: folder }).reduce(
    (sum, file) => sum + statSync(join(folder, file)).size,
    0,
  );
}
