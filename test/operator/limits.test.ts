import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signOperatorToken } from '../../src/tokens/operator.ts';
import { limitOf, openLimit, tablesOf } from '../link-limit/support/limits.ts';
import { HOST, openOperator, type Operator } from '../support/operator.ts';

const SHA = 'a'.repeat(64);
const SECTION = { table: 'LinkLimit', columns: ['link_id', 'since', 'taken'] };

afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare('DELETE FROM restores').run();
});

const read = async ({ ask }: Operator, links: readonly string[]) => {
  const response = await ask('read-limits', { links });
  return [response.status, await response.json()];
};

/** Sends rows of a backup in a restore whose database is restored. */
async function restore({ ask, key, show }: Operator, lines: readonly unknown[]): Promise<Response> {
  await ask('begin-restore', { sha256: SHA, force: true });
  await env.DB.prepare('UPDATE restores SET is_emptied = 1, next_row = 10').run();
  const body = [{ sha256: SHA, from: 10, to: 20 }, ...lines].map((line) => JSON.stringify(line)).join('\n');
  return show(await signOperatorToken(key, HOST), { command: 'restore-statistics', body });
}

describe('a backup of limited links', () => {
  it('a backup of limited links has how many visitors each has redirected, in the order of the request', async () => {
    const operator = await openOperator();
    const [some, none, many] = [openLimit(), openLimit(), openLimit()];
    await some.takeMany(limitOf(2), 5);
    await many.takeMany(limitOf(9, 5000, 5000), 3);
    const links = [many, none, some].map(({ linkId }) => linkId);
    const rows = [
      [many.linkId, '5000', '3'],
      [none.linkId, null, '0'],
      [some.linkId, '1000', '2'],
    ];
    expect(await read(operator, links)).toEqual([200, { rows }]);
    expect(await tablesOf(none)).toEqual([]);
  });

  it('a backup of limited links can be asked again when an object does not respond', async () => {
    const { ask } = await openOperator();
    const count = () => Promise.reject(new Error('Network connection lost.'));
    vi.spyOn(env.LIMITS, 'getByName').mockReturnValue({ count } as never);
    const response = await ask('read-limits', { links: ['a'] });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await response.text()).toContain('The limit of this link is temporarily unavailable.');
  });

  it('a backup of limited links is read in pages', async () => {
    const [status] = await read(await openOperator(), Array.from({ length: 201 }, String));
    expect(status).toBe(400);
  });
});

describe('a restore of limited links', () => {
  it('a restore of limited links replaces what was counted since the backup, for isolates that know any edit', async () => {
    const operator = await openOperator();
    const [fewer, more, none] = [openLimit(), openLimit(), openLimit()];
    await fewer.takeMany(limitOf(9), 7);
    await fewer.stub.set(limitOf(8, 2000));
    await none.takeMany(limitOf(9), 4);
    const rows = [
      [fewer.linkId, '1000', '3'],
      [more.linkId, '1000', '5'],
      [none.linkId, null, '0'],
    ];
    const response = await restore(operator, [SECTION, ...rows]);
    expect([response.status, await response.json()]).toEqual([200, { next_row: 20 }]);
    // The database has the edit of the backup again; an isolate may know the one after it for some minutes.
    expect([await fewer.stub.left(limitOf(9)), await fewer.stub.left(limitOf(8, 2000))]).toEqual([6, 5]);
    expect([await fewer.takeMany(limitOf(8, 2000), 3), await fewer.takeMany(limitOf(9), 9)]).toEqual([3, 3]);
    expect(await more.takeMany(limitOf(9), 9)).toBe(4);
    expect([await tablesOf(none), await none.takeMany(limitOf(9), 20)]).toEqual([[], 9]);
  });

  it('a restore of limited links continues its count when the limit is raised, and begins at 0 when it is set anew', async () => {
    const operator = await openOperator();
    const [raised, anew] = [openLimit(), openLimit()];
    await restore(operator, [SECTION, ...[raised, anew].map(({ linkId }) => [linkId, '1000', '5'])]);
    const later = Date.now() + 1000;
    expect(await raised.takeMany(limitOf(7, later), 9)).toBe(2);
    expect(await anew.takeMany(limitOf(7, later, later), 9)).toBe(7);
  });

  it('a restore of limited links is not undone by the removal that an object had still to do', async () => {
    const operator = await openOperator();
    const limit = openLimit();
    await limit.stub.set({ max: null, revision: 1001 });
    await restore(operator, [SECTION, [limit.linkId, '1000', '5']]);
    expect(await runDurableObjectAlarm(limit.stub)).toBe(false);
    expect(await limit.stub.left(limitOf(9))).toBe(4);
  });

  it.each<[what: string, lines: (link: string) => readonly unknown[], sentence: string]>([
    ['without its section', (link) => [[link, '1000', '5']], 'A row has no section.'],
    [
      'of other columns',
      (link) => [{ ...SECTION, columns: ['link_id', 'taken'] }, [link, '5']],
      'A row has no section.',
    ],
    [
      'with a count that is none',
      (link) => [SECTION, [link, '1000', '5'], [link, '1000', '-1']],
      'must be a whole number',
    ],
    ['without a count', (link) => [SECTION, [link, '1000', '5'], [link, '1000', null]], 'expected string'],
  ])('a restore of limited links refuses a row %s, and changes nothing', async (_what, lines, sentence) => {
    const operator = await openOperator();
    const limit = openLimit();
    await limit.takeMany(limitOf(9), 2);
    const response = await restore(operator, lines(limit.linkId));
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(sentence)]);
    expect(await limit.stub.left(limitOf(9))).toBe(7);
    expect(await env.DB.prepare('SELECT next_row FROM restores').first()).toEqual({ next_row: 10 });
  });
});
