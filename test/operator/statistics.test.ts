import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { STATISTICS_SCHEMA } from '../../src/statistics/schema.ts';
import { signOperatorToken } from '../../src/tokens/operator.ts';
import { deliveryOf } from '../statistics/support/statistics.ts';
import { HOST, openOperator, type Operator } from '../support/operator.ts';
import { seedTenant } from '../support/seed.ts';

const SHA = 'a'.repeat(64);
const STEPS = { table: 'ClientStatistics', columns: ['client_id', 'step', 'schema'] };

afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare('DELETE FROM restores').run();
});

const objectOf = (clientId: string) => env.STATISTICS.getByName(clientId);

async function clicksOf(clientId: string): Promise<number[]> {
  const question = {
    subject: { kind: 'client' },
    from: 0,
    to: 30_000,
    withCarried: true,
    by: [],
    filters: {},
  } as const;
  return (await objectOf(clientId).ask(question)).map(({ humans }) => humans);
}

/** A client with clicks. */
async function seedClicks(clicks: number): Promise<string> {
  const { clientId } = await seedTenant();
  await objectOf(clientId).append(deliveryOf({ clicks }));
  return clientId;
}

interface Read {
  readonly state: 'read';
  readonly schema: number;
  readonly sections: readonly { table: string; columns: string[]; rows: (string | null)[][] }[];
  readonly next: object | null;
}

const readFirst = async ({ ask }: Operator, client: string) =>
  (await ask('read-statistics', { client, place: null })).json<Read>();

/** The lines of a backup for a client. */
const linesOf = (client: string, { schema, sections }: Read): readonly object[] => [
  STEPS,
  [client, 'begin', String(schema)],
  ...sections.flatMap(({ table, columns, rows }) => [
    { table: `ClientStatistics.${table}`, columns: ['client_id', ...columns] },
    ...rows.map((row) => [client, ...row]),
  ]),
  STEPS,
  [client, 'end', null],
];

/** A restore that has come so far that the statistics are next. */
async function begin({ ask }: Operator): Promise<void> {
  await ask('begin-restore', { sha256: SHA, force: true });
  await env.DB.prepare('UPDATE restores SET is_emptied = 1, next_row = 10').run();
}

async function send({ key, show }: Operator, lines: readonly unknown[], head: object = {}): Promise<Response> {
  const all = [{ sha256: SHA, from: 10, to: 20, ...head }, ...lines];
  const body = all.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return show(await signOperatorToken(key, HOST), { command: 'restore-statistics', body });
}

describe('a backup of click statistics', () => {
  it('a backup of click statistics has the pages of a client, which restore it elsewhere', async () => {
    const operator = await openOperator();
    const [from, to] = [await seedClicks(3), await seedClicks(5)];
    const page = await readFirst(operator, from);
    expect(page).toMatchObject({ state: 'read', schema: STATISTICS_SCHEMA, next: null });
    await begin(operator);
    const response = await send(operator, linesOf(to, page));
    expect([response.status, await response.json()]).toEqual([200, { next_row: 20 }]);
    expect(await clicksOf(to)).toEqual([3]);
  });

  it('a backup of click statistics says that it is over if it was', async () => {
    const { ask } = await openOperator();
    const place = { id: 'of another time', table: 'words', after: [1, 'x'] };
    const response = await ask('read-statistics', { client: await seedClicks(1), place });
    expect([response.status, await response.json()]).toEqual([200, { state: 'over' }]);
  });

  it('a backup of click statistics is refused while the client is being restored', async () => {
    const operator = await openOperator();
    const client = await seedClicks(1);
    await objectOf(client).beginLoad(STATISTICS_SCHEMA);
    const response = await operator.ask('read-statistics', { client, place: null });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain(`A restore of the statistics of ${client} is not finished: restore again.`);
  });

  it('a backup of click statistics can be asked again when an object does not respond', async () => {
    const { ask } = await openOperator();
    vi.spyOn(env.STATISTICS, 'getByName').mockReturnValue({
      exportPage: () => Promise.reject(new Error('Network connection lost.')),
    } as never);
    const response = await ask('read-statistics', { client: 'acme', place: null });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await response.text()).toContain('The click statistics are temporarily unavailable.');
  });
});

describe('a restore of click statistics', () => {
  it('a restore of click statistics takes each slice once even if it is repeated, and none of another restore or out of order', async () => {
    const operator = await openOperator();
    const client = await seedClicks(3);
    const lines = linesOf(client, await readFirst(operator, client));
    await objectOf(client).append(deliveryOf({}));
    expect((await send(operator, lines)).status).toBe(409);
    await begin(operator);
    expect((await send(operator, lines, { sha256: 'b'.repeat(64) })).status).toBe(409);
    expect(await (await send(operator, lines, { from: 11 })).json()).toEqual({ next_row: 10 });
    expect(await clicksOf(client)).toEqual([4]);
    expect(await (await send(operator, lines)).json()).toEqual({ next_row: 20 });
    await objectOf(client).append(deliveryOf({}));
    expect(await (await send(operator, lines)).json()).toEqual({ next_row: 20 });
    expect(await clicksOf(client)).toEqual([4]);
  });

  it('a restore of click statistics takes clients in slices that are cut anywhere, and one whose backup began again', async () => {
    const operator = await openOperator();
    const [one, two] = [await seedClicks(3), await seedClicks(5)];
    const [first, second] = [
      linesOf(one, await readFirst(operator, one)),
      linesOf(two, await readFirst(operator, two)),
    ];
    await begin(operator);
    const all = [...first.slice(0, -4), ...first, ...second];
    let section: object = STEPS;
    for (const [index, line] of all.entries()) {
      if (!Array.isArray(line)) section = line;
      const head = { from: 10 + index, to: 11 + index };
      expect((await send(operator, Array.isArray(line) ? [section, line] : [line], head)).status).toBe(200);
    }
    expect([await clicksOf(one), await clicksOf(two)]).toEqual([[3], [5]]);
  });

  it('a restore of click statistics keeps the rows of clients apart that follow each other', async () => {
    const operator = await openOperator();
    const clients = [await seedClicks(1), await seedClicks(1)];
    await begin(operator);
    const purges = { table: 'ClientStatistics.purges', columns: ['client_id', 'link'] };
    const steps = (step: string, schema: string | null) => [STEPS, ...clients.map((client) => [client, step, schema])];
    const rows = clients.map((client) => [client, `of ${client}`]);
    const response = await send(operator, [...steps('begin', '1'), purges, ...rows, ...steps('end', null)]);
    expect(response.status).toBe(200);
    for (const client of clients) {
      const { sections } = await readFirst(operator, client);
      expect(sections.find(({ table }) => table === 'purges')?.rows).toEqual([[`of ${client}`]]);
    }
  });

  it.each<[what: string, lines: (client: string) => readonly unknown[], status: number, sentence: string]>([
    ['of a newer version', (c) => [STEPS, [c, 'begin', '999']], 409, 'newer than this version of the service'],
    ['with an unknown step', (c) => [STEPS, [c, 'go', '1']], 400, 'A step of a restore is not known.'],
    ['that is not JSON', () => [STEPS, '{'], 400, 'The 3. line is not JSON.'],
    ['without a section', (c) => [[c, '1']], 400, 'A row has no section.'],
    ['with a section of the database', (c) => [{ table: 'links', columns: ['client_id'] }, [c]], 400, 'no section'],
    [
      'with rows of a client that was not begun',
      (c) => [{ table: 'ClientStatistics.purges', columns: ['client_id', 'link'] }, [c, 'x']],
      400,
      'No restore of these statistics has begun.',
    ],
    [
      'with a row that breaks a rule',
      (c) => [STEPS, [c, 'begin', '1'], { table: 'ClientStatistics.days', columns: ['client_id', 'id'] }, [c, '1']],
      400,
      'A row breaks a rule of its table',
    ],
  ])('a restore of click statistics refuses a slice %s', async (_what, lines, status, sentence) => {
    const operator = await openOperator();
    const client = await seedClicks(1);
    await begin(operator);
    const response = await send(operator, lines(client));
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(sentence)]);
    expect(await env.DB.prepare('SELECT next_row FROM restores').first()).toEqual({ next_row: 10 });
  });

  it('a restore of click statistics leaves nothing of the clients that the database no longer has', async () => {
    const operator = await openOperator();
    const clients = [await seedClicks(1), await seedClicks(2)];
    await operator.ask('begin-restore', { sha256: SHA, force: true });
    for (let isEmpty = false; !isEmpty;) {
      const response = await operator.ask('empty-database', { sha256: SHA });
      ({ isEmpty } = await response.json<{ isEmpty: boolean }>());
    }
    for (const client of clients) {
      expect(await clicksOf(client)).toEqual([]);
      const { sections } = await readFirst(operator, client);
      expect(sections.map(({ table }) => table)).toEqual(['state', 'subjects']);
    }
  });

  it('a restore of click statistics keeps a client in the database whose statistics could not be removed', async () => {
    const operator = await openOperator();
    const client = await seedClicks(1);
    await operator.ask('begin-restore', { sha256: SHA, force: true });
    vi.spyOn(env.STATISTICS, 'getByName').mockReturnValue({
      erase: () => Promise.reject(new Error('Network connection lost.')),
    } as never);
    const statuses: number[] = [];
    // As many steps as there are tables, and some more.
    while (statuses.length < 40 && statuses.at(-1) !== 503)
      statuses.push((await operator.ask('empty-database', { sha256: SHA })).status);
    expect(statuses.at(-1)).toBe(503);
    expect(await env.DB.prepare('SELECT id FROM clients WHERE id = ?1').bind(client).first()).not.toBeNull();
  });

  it('a restore of click statistics removes the statistics of all clients of the database, page by page', async () => {
    const operator = await openOperator();
    await env.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 120)
       INSERT INTO clients (id, created_at) SELECT 'many-' || n, 1 FROM n`,
    ).run();
    await begin(operator);
    expect((await operator.ask('empty-statistics', { sha256: 'b'.repeat(64), after: null })).status).toBe(409);
    const erase = vi.fn(async () => {});
    const getByName = vi.spyOn(env.STATISTICS, 'getByName').mockReturnValue({ erase } as never);
    const pages: number[] = [];
    for (let after: string | null = null; pages.length === 0 || after !== null;) {
      const response = await operator.ask('empty-statistics', { sha256: SHA, after });
      expect(response.status).toBe(200);
      ({ after } = await response.json<{ after: string | null }>());
      pages.push(erase.mock.calls.length);
      erase.mockClear();
    }
    expect(Math.max(...pages)).toBe(100);
    const { results } = await env.DB.prepare('SELECT id FROM clients ORDER BY id').all<{ id: string }>();
    expect(getByName.mock.calls.map(([id]) => id)).toEqual(results.map(({ id }) => id));
  });
});
