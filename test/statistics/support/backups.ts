import { runInDurableObject } from 'cloudflare:test';
import { expect } from 'vitest';
import type { ExportedPage, ExportCursor, Section } from '../../../src/statistics/backup/export.ts';
import type { ClientStatistics } from '../../../src/statistics/object.ts';
import { STATISTICS_SCHEMA } from '../../../src/statistics/schema.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { carryDays } from './carried-days.ts';
import { deliveryOf, openStatistics, TODAY, type Statistics, type TestClick } from './statistics.ts';

/** Backups of an object, and what they are compared by. */

/** Reads a page that is there. */
export async function readPage({ stub }: Statistics, place: ExportCursor | null = null): Promise<ExportedPage> {
  const page = await stub.exportPage(place);
  expect(page).toBeTypeOf('object');
  return page as unknown as ExportedPage;
}

/** Reads all pages, or those after a place, with something done between each two of them. */
export async function readPages(
  statistics: Statistics,
  first: ExportCursor | null = null,
  between: () => Promise<unknown> = async () => {},
): Promise<ExportedPage[]> {
  const pages = [await readPage(statistics, first)];
  for (let next = pages[0]!.next; next !== null; next = pages.at(-1)!.next) {
    await between();
    pages.push(await readPage(statistics, next));
  }
  return pages;
}

export const sectionsOf = (pages: readonly ExportedPage[]): Section[] => pages.flatMap(({ sections }) => sections);

/** Another object with the rows of a backup. */
export async function restoreElsewhere(pages: readonly ExportedPage[]): Promise<Statistics> {
  const statistics = openStatistics();
  await statistics.stub.append(deliveryOf({ link: 'of another time' }));
  expect(await statistics.stub.beginLoad(STATISTICS_SCHEMA)).toBe(true);
  for (const { sections } of pages) expect(await statistics.stub.load(sections)).toBeNull();
  await statistics.stub.endLoad();
  return statistics;
}

/** Why an object refuses a call; null if it does not. A call from outside would fail the test as well. */
export const refusalOf = ({ stub }: Pick<Statistics, 'stub'>, call: (object: ClientStatistics) => Promise<unknown>) =>
  runInDurableObject(stub, (object) => call(object).then(() => null, String));

/** All rows of all tables, bytes in hexadecimal digits; without when webhooks were written, which no restore takes. */
export function readAll({ stub }: Statistics): Promise<Record<string, unknown[]>> {
  return runInDurableObject(stub, (_object, { storage: { sql } }) => {
    const tables = sql.exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`);
    const own = [...tables].map(({ name }) => name).filter((name) => !name.startsWith('_cf_'));
    const show = (value: SqlStorageValue) =>
      value instanceof ArrayBuffer ? Buffer.from(value).toString('hex') : value;
    const readTable = (name: string) =>
      [...sql.exec(`SELECT * FROM ${name}`).raw()]
        .filter(([first]) => first !== 'click_webhooks_at')
        .map((row) => row.map(show))
        .toSorted(inOrder);
    return Object.fromEntries(own.map((name) => [name, readTable(name)]));
  });
}

const inOrder = (a: readonly unknown[], b: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);

/** Some 40 kB of marks of visitors. */
const MANY_MARKS = 'ABCDEFGH'.repeat(5000);

/** A delivery that takes several pages. */
export const largeDelivery = (name = 'link') =>
  deliveryOf(...Array.from({ length: 60 }, (_, i): TestClick => ({ link: `${name}-${i}`, marks: MANY_MARKS })));

/** An object in which no table is empty, and none needs to be folded before the hour is over. */
export async function openFilled(): Promise<Statistics> {
  const statistics = openStatistics();
  const { stub, fold, rows } = statistics;
  const clicks = [0, 1, 9, 130].map((age): TestClick => ({
    at: Date.now() - age * DAY_MS,
    referrer: 't.co',
    campaign: `spring \0 " ' ü 😀 ${age}`,
    marks: 'AAAAAAAA',
  }));
  await stub.append(deliveryOf(...clicks, { kind: 'bot', destination: 'b', clicks: 2 ** 40 }));
  await fold();
  const sums = { country: [{ value: 'AT', humans: 4, bots: 0, previews: 0 }] };
  const carried = { day: TODAY - 200, humans: 4, bots: 0, previews: 0, lastAt: 1, by: sums };
  await runInDurableObject(stub, (_object, { storage }) =>
    carryDays(storage, [{ ...carried, subject: { kind: 'link', name: 'link-1' } }], TODAY),
  );
  await stub.append(deliveryOf({ link: 'link-2', referrer: 'news.example', marks: 'BBBBBBBB' }));
  await stub.renameCampaign('former', 'new');
  await rows(`INSERT INTO purges (link) VALUES ('link-9')`);
  return statistics;
}
