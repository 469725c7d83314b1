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
