import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { openOperator } from '../support/operator.ts';
import { seedTenant } from '../support/seed.ts';

afterEach(() => vi.restoreAllMocks());

interface Read {
  readonly schema: string;
  readonly tables: readonly { readonly name: string }[];
}

const page = (schema: string, limit: number) => ({ schema, table: 'users', limit, after: null, owners: null });

it('the tables of a backup have their columns, key and parents, parents before their children', async () => {
  const { ask } = await openOperator();
  await env.DB.batch([
    env.DB.prepare('CREATE TABLE zz_parents (id TEXT PRIMARY KEY) STRICT'),
    env.DB.prepare(
      `CREATE TABLE aa_children (
         b INTEGER NOT NULL DEFAULT 1, a TEXT NOT NULL, indexed TEXT REFERENCES zz_parents (id),
         scanned TEXT NOT NULL REFERENCES zz_parents (id), PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID`,
    ),
    env.DB.prepare('CREATE INDEX aa_by_indexed ON aa_children (indexed, scanned)'),
    env.DB.prepare('CREATE TABLE restoring_old (id TEXT PRIMARY KEY) STRICT'),
    env.DB.prepare('CREATE TABLE of_others (id TEXT PRIMARY KEY)'),
  ]);
  const { tables } = await (await ask('read-tables')).json<Read>();
  const names = tables.map(({ name }) => name);
  expect(names.indexOf('zz_parents')).toBeLessThan(names.indexOf('aa_children'));
  for (const name of ['restores', 'operator_log', 'restoring_old', 'of_others', 'd1_migrations'])
    expect(names).not.toContain(name);
  expect(tables.filter(({ name }) => /^(?:zz|aa)_/.test(name))).toEqual([
    { name: 'zz_parents', columns: [{ name: 'id', type: 'TEXT', isOptional: false }], key: ['id'], parents: [] },
    {
      name: 'aa_children',
      columns: [
        { name: 'b', type: 'INTEGER', isOptional: true },
        { name: 'a', type: 'TEXT', isOptional: false },
        { name: 'indexed', type: 'TEXT', isOptional: true },
        { name: 'scanned', type: 'TEXT', isOptional: false },
      ],
      key: ['a', 'b'],
      parents: [
        { table: 'zz_parents', column: 'scanned', isIndexed: false },
        { table: 'zz_parents', column: 'indexed', isIndexed: true },
      ],
    },
  ]);
});

it('a page of a backup is read by one statement, and says whether it is the last', async () => {
  const { ask } = await openOperator();
  await seedTenant();
  await seedTenant();
  const { schema, tables } = await (await ask('read-tables')).json<Read>();
  expect(tables.map(({ name }) => name)).toContain('links');

  // The first one of an hour is in the operator's log.
  await ask('read-rows', page(schema, 1));

  const prepare = vi.spyOn(env.DB, 'prepare');
  const first = await (await ask('read-rows', page(schema, 1))).json<{ rows: unknown[]; is_last: boolean }>();
  expect([first.rows.length, first.is_last]).toEqual([1, false]);
  expect(prepare).toHaveBeenCalledOnce();
  const all = await (await ask('read-rows', page(schema, 4000))).json<{ rows: unknown[]; is_last: boolean }>();
  expect([all.rows.length > 1, all.is_last]).toEqual([true, true]);
});

it('a page of tables that have changed since the backup was begun is refused', async () => {
  const { ask } = await openOperator();
  const { schema } = await (await ask('read-tables')).json<Read>();
  const response = await ask('read-rows', page(schema.replaceAll(/./g, '0'), 1));
  expect(response.status).toBe(409);
  expect(await response.text()).toContain('The tables have changed since the backup began: start it again.');
});
