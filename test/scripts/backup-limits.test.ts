import { describe, expect, it } from 'vitest';
import { dumpTables } from '../../scripts/backup/dump.ts';
import { dumpLimits } from '../../scripts/backup/limits.ts';
import { describeRows } from '../../scripts/backup/statistics.ts';
import type { Service } from '../../scripts/operator-service.ts';

/** The limited links in a backup, without a service. */

type Answer = { parse: (value: object) => unknown };

const text = (name: string) => ({ name, type: 'TEXT', isOptional: true }) as const;

/** The limited links among those of a table with these columns. */
async function limitedAmong(columns: readonly string[], rows: readonly (readonly (string | null)[])[]) {
  const askWithRetry = async (_: string, __: object, answer: Answer) => answer.parse({ rows, is_last: true });
  const tables = [{ name: 'links', columns: columns.map(text), key: ['id'], parents: [] }];
  const noted = { keys: new Map(), limited: [] };
  await dumpTables({ askWithRetry } as unknown as Service, { schema: 's', tables }, () => {}, noted);
  return noted.limited;
}

describe('a backup of limited links', () => {
  it('a backup of limited links has those that have a limit, and none of a service without limits', async () => {
    const rows = [
      ['a', '5', 'x'],
      ['b', null, 'x'],
      ['c', '0', null],
    ];
    expect(await limitedAmong(['id', 'max_clicks', 'slug'], rows)).toEqual(['a', 'c']);
    expect(await limitedAmong(['id', 'clicks', 'slug'], rows)).toEqual([]);
  });

  it('a backup of limited links reads their counts in pages', async () => {
    const links = Array.from({ length: 250 }, (_, n) => `l${n}`);
    const [asked, lines]: [number[], object[]] = [[], []];
    const askWithRetry = async (command: string, body: { links: string[] }, answer: Answer) => {
      expect(command).toBe('read-limits');
      asked.push(body.links.length);
      return answer.parse({ rows: body.links.map((link) => [link, '1000', '2']) });
    };
    const counts = await dumpLimits({ askWithRetry } as unknown as Service, links, (line) => void lines.push(line));
    expect([counts, asked]).toEqual([{ LinkLimit: 250 }, [100, 100, 50]]);
    const section = { table: 'LinkLimit', columns: ['link_id', 'since', 'taken'] };
    expect(lines).toEqual([section, ...links.map((link) => [link, '1000', '2'])]);
  });

  it('a backup of limited links has no section if no link has a limit', async () => {
    const lines: object[] = [];
    expect(await dumpLimits({} as Service, [], (line) => void lines.push(line))).toEqual({});
    expect(lines).toEqual([]);
  });
});

it('counts the rows of a backup by where they are stored', () => {
  const rows = { links: 3, users: 2, ClientStatistics: 4, 'ClientStatistics.days': 5, LinkLimit: 1 };
  expect(describeRows(rows)).toBe('links: 3\nrows: 5\nrows of statistics: 9\nlimited links: 1');
  expect(describeRows({ links: 0 })).toBe('links: 0\nrows: 0\nrows of statistics: 0\nlimited links: 0');
});
