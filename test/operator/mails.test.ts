import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { openOperator } from '../support/operator.ts';

it('the operator sees how many mails wait, and those that failed, newest first, without their addresses', async () => {
  await env.DB.batch(
    [
      [`'a'`, 'NULL', 'NULL'],
      [`'b'`, '1000', `'http_422'`],
      [`'c'`, '2000', `'expired'`],
    ].map(([id, failedAt, error]) =>
      env.DB.prepare(
        `INSERT INTO mails (id, kind, address, created_at, expires_at, next_try_at, tries, failed_at, error)
         VALUES (${id}, 'invite', 'ann@mail.example', 1, 2, 3, 4, ${failedAt}, ${error})`,
      ),
    ),
  );
  const { ask } = await openOperator();
  expect(await (await ask('list-mails', { limit: 1 })).json()).toEqual({
    waiting: 1,
    failed: [{ id: 'c', kind: 'invite', failed_at: '1970-01-01T00:00:02.000Z', tries: 4, error: 'expired' }],
  });
});
