import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';

it('works', async () => {
  const stub = env.STATISTICS.getByName('acme');
  const n = await runInDurableObject(stub, (_object, state) => state.storage.sql.exec('SELECT 1 AS one').one());
  expect(n).toEqual({ one: 1 });
});
