import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SCHEMA_VERSION } from '../../src/database/schema-version.ts';
import { bearerOf, EXAMPLE, seedCaller, type Caller } from '../support/forms.ts';
import { openOperator } from '../support/operator.ts';
import { contentOfTables, seedLink, seedTenant, signIn } from '../support/seed.ts';
import { openIsolate, type Call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

/** A Worker on a schema that only newer code can write to, as after a rollback by more than one release. */

const setOldest = (migration: number) =>
  env.DB.prepare('UPDATE schema_support SET oldest_migration = ?').bind(migration).run();

const SENTENCE =
  'store_unavailable: Nothing can be changed at the moment, since the service runs a version that is older than its ' +
  'database. Links still redirect. Try again in a few minutes.';

afterEach(async () => {
  vi.restoreAllMocks();
  await setOldest(1);
});

const create = (isolate: Call, { apiKey, clientId }: Caller) =>
  isolate('/v1/links', { headers: { 'X-API-Key': apiKey }, form: { url: EXAMPLE, client_id: clientId } });

describe.each([
  ['that checks the database in each round trip', '0'],
  ['that checks it every few seconds', '5'],
])('code that the schema no longer supports, in an isolate %s', (_, RESTORE_CHECK_SECONDS) => {
  let isolate: Call;
  beforeEach(() => void (isolate = openIsolate({ RESTORE_CHECK_SECONDS })));

  it('code that the schema no longer supports responds to writes with 503, and writes nothing', async () => {
    const caller = await seedCaller();
    const link = await seedLink(caller);
    const { refresh_token } = await signIn(await seedTenant());
    await setOldest(SCHEMA_VERSION + 1);
    const before = await contentOfTables();
    for (const response of [
      await create(isolate, caller),
      await isolate(`/v1/links/${link.id}`, { method: 'DELETE', headers: bearerOf(caller) }),
      await isolate('/tokens/refresh_token', { form: { refresh_token } }),
      await create(isolate, caller),
    ]) {
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '60']);
      expect(await response.json()).toEqual({ result: 'Failed', error: SENTENCE });
    }
    expect(await contentOfTables()).toEqual(before);
  });

  it('code that the schema no longer supports redirects, and serves what only reads', async () => {
    const caller = await seedCaller();
    const link = await seedLink(caller, { url: 'https://example.com/cold' });
    await setOldest(SCHEMA_VERSION + 1);
    expect((await isolate(`/${link.id}`)).headers.get('Location')).toBe('https://example.com/cold');
    expect((await isolate('/unheard-of')).status).toBe(404);
    expect((await isolate('/v1/links', { headers: bearerOf(caller) })).status).toBe(200);
    expect((await isolate('/v1/links', { headers: { 'X-API-Key': caller.apiKey } })).status).toBe(200);
    expect((await create(isolate, caller)).status).toBe(503);
  });

  it('code that the schema no longer supports makes no more round trips than other code', async () => {
    const caller = await seedCaller();
    const trips = await countTrips();
    expect((await create(isolate, caller)).status).toBe(200);
    const usual = trips().d1;
    await setOldest(SCHEMA_VERSION + 1);
    const late = openIsolate({ RESTORE_CHECK_SECONDS });
    const before = trips().d1;
    expect((await create(late, caller)).status).toBe(503);
    expect(trips().d1 - before).toBeLessThanOrEqual(usual);
  });
});

it('code that the schema no longer supports begins no restore', async () => {
  await setOldest(SCHEMA_VERSION + 1);
  const { ask } = await openOperator();
  const response = await ask('begin-restore', { sha256: 'a'.repeat(64), force: true });
  expect([response.status, await response.json()]).toEqual([
    409,
    {
      result: 'Failed',
      error:
        'edit_conflict: The database is newer than this version of the service: deploy the newer version, then restore.',
    },
  ]);
  expect(await env.DB.prepare('SELECT * FROM restores').all()).toMatchObject({ results: [] });
});

it('code that the schema still supports writes as usual', async () => {
  const caller = await seedCaller();
  await setOldest(SCHEMA_VERSION);
  expect((await create(openIsolate(), caller)).status).toBe(200);
});

it('an isolate writes again once the schema supports its code', async () => {
  vi.setSystemTime('2026-05-20T04:17:00Z');
  const caller = await seedCaller();
  const isolate = openIsolate({ RESTORE_CHECK_SECONDS: '5' });
  await setOldest(SCHEMA_VERSION + 1);
  expect((await isolate('/v1/links', { headers: bearerOf(caller) })).status).toBe(200);
  expect((await create(isolate, caller)).status).toBe(503);
  await setOldest(SCHEMA_VERSION);
  expect((await create(isolate, caller)).status).toBe(503);
  vi.setSystemTime('2026-05-20T04:17:05Z');
  expect((await create(isolate, caller)).status).toBe(200);
  vi.useRealTimers();
});
