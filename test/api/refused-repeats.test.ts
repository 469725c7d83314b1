import { expect, it } from 'vitest';
import { bearerOf, expectFailure, seedCaller } from '../support/forms.ts';
import { seedKey } from '../support/management.ts';
import { contentOfTables } from '../support/seed.ts';
import { call } from '../support/service.ts';

it.each<[path: string, body: string, why: RegExp]>([
  ['/v1/keys', '{"name":"k","scopes":["links:read"]}', /contains a secret, so it is not stored/],
  ['/v1/keys/KEY/roll', '', /contains a secret, so it is not stored/],
  [
    '/v1/webhooks',
    '{"url":"https://example.com/","events":["link.created"]}',
    /contains a secret, so it is not stored/,
  ],
  ['/v1/webhooks/0123456789abcdef/roll', '', /contains a secret, so it is not stored/],
  ['/v1/webhooks/0123456789abcdef/deliveries/evt_1/redeliver', '', /has the same id/],
  ['/v1/webhooks/0123456789abcdef/redeliver', '{"since":"2026-01-01T00:00:00Z"}', /has the same id/],
  ['/v1/webhooks/0123456789abcdef/test', '', /each request sends another event/],
  ['/v1/invites', '{}', /contains a secret, so it is not stored/],
  ['/v1/invites/accept', '{"token":"x"}', /accepted only once/],
  ['/v1/domains', '{"host":"go.acme.example"}', /can be added once/],
  ['/v1/tags', '{"name":"Summer"}', /exists once/],
  ['/v1/links/import', 'url\nhttps://example.com/\n', /creates only the missing links/],
])('POST %s refuses an Idempotency-Key, says why, and creates nothing', async (path, body, why) => {
  const caller = await seedCaller();
  const { id } = await seedKey(caller);
  const type = path === '/v1/links/import' ? 'text/csv' : 'application/json';
  const before = await contentOfTables();
  const response = await call(path.replace('KEY', id), {
    method: 'POST',
    headers: { ...bearerOf(caller), 'Content-Type': type, 'Idempotency-Key': 'k' },
    body,
  });
  await expectFailure(response, 400, expect.stringMatching(why));
  expect(await contentOfTables()).toEqual(before);
});
