import { afterEach, describe, expect, it } from 'vitest';
import { D1_FAULTS, breakD1, loseResponses, endFaults } from '../support/faults.ts';
import { bearerOf, EXAMPLE, seedCaller, storedLinks } from '../support/forms.ts';
import { seedLink, seedTenant, signIn } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

/** Writes that D1 does without saying so. */

afterEach(endFaults);

const UNKNOWN =
  'store_unavailable: The database did not confirm whether this was saved. Check, or send it again in a few seconds; ' +
  'a create is done only once with an Idempotency-Key.';

const HANGS = D1_FAULTS.find(({ name }) => name === 'hangs')!;

async function expectUnknown(response: Response): Promise<void> {
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(await response.json()).toEqual({ result: 'Failed', error: UNKNOWN });
}

describe('a write with an unknown outcome', () => {
  it('a create without a word of D1 whether it was done says so, and gives the one link when it is sent again under its Idempotency-Key', async () => {
    const caller = await seedCaller();
    const send = () =>
      openIsolate()('/v1/links', {
        headers: { 'X-API-Key': caller.apiKey, 'Idempotency-Key': 'order-1138' },
        form: { url: EXAMPLE, client_id: caller.clientId },
      });
    const before = await storedLinks();
    loseResponses(HANGS);
    await expectUnknown(await send());
    endFaults();
    const { result } = await (await send()).json<{ result: string }>();
    expect(await storedLinks()).toEqual({ links: before.links + 1, addresses: before.addresses + 1 });
    expect((await openIsolate()(`/${(JSON.parse(result) as { id: string }).id}`)).status).toBe(302);
  });

  it('an edit without a word of D1 whether it was done says so, can be sent again, and is one change in the history', async () => {
    const tenant = await seedTenant();
    const { id } = await seedLink(tenant);
    const headers = { 'X-API-Key': tenant.apiKey, 'Content-Type': 'application/json' };
    const send = () =>
      openIsolate()(`/v1/links/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ url: `${EXAMPLE}new` }) });
    loseResponses(HANGS, 2);
    await expectUnknown(await send());
    endFaults();
    expect((await send()).status).toBe(200);
    expect((await openIsolate()(`/${id}`)).headers.get('Location')).toBe(`${EXAMPLE}new`);
    const recorded = await (await openIsolate()(`/v1/links/${id}/history`, { headers })).json<{ history: unknown[] }>();
    expect(recorded.history).toHaveLength(2);
  });

  it('a deletion without a word of D1 whether it was done says so, and can be sent again', async () => {
    const tenant = await seedTenant();
    const { id } = await seedLink(tenant);
    const send = () => openIsolate()(`/v1/links/${id}`, { method: 'DELETE', headers: { 'X-API-Key': tenant.apiKey } });
    loseResponses(HANGS, 2);
    await expectUnknown(await send());
    endFaults();
    expect((await send()).status).toBe(204);
    expect((await openIsolate()(`/${id}`)).status).toBe(410);
  });

  it('a refresh token without a word of D1 about its use can be used again, and the response says so', async () => {
    const { refresh_token } = await signIn(await seedTenant());
    const send = () => openIsolate()('/tokens/refresh_token', { form: { refresh_token } });
    loseResponses(HANGS);
    await expectUnknown(await send());
    endFaults();
    expect((await send()).status).toBe(201);
  });

  it('a revocation without a word of D1 whether it was done says so, and can be sent again', async () => {
    const { refresh_token } = await signIn(await seedTenant());
    const send = () => openIsolate()('/tokens/revoke_token', { form: { token: refresh_token } });
    loseResponses(HANGS);
    await expectUnknown(await send());
    endFaults();
    expect((await send()).status).toBe(200);
    expect((await openIsolate()('/tokens/refresh_token', { form: { refresh_token } })).status).toBe(401);
  });
});

describe('what is known not to be done', () => {
  const OUTAGE = 'store_unavailable: The database is temporarily unavailable. Try again in a few seconds.';

  it('a create that an overloaded D1 turned away is known not to be done', async () => {
    const caller = await seedCaller();
    const before = await storedLinks();
    breakD1(D1_FAULTS.find(({ name }) => name === 'is overloaded')!);
    const form = { url: EXAMPLE, client_id: caller.clientId };
    const response = await openIsolate()('/v1/links', { headers: { 'X-API-Key': caller.apiKey }, form });
    expect(await response.json()).toEqual({ result: 'Failed', error: OUTAGE });
    endFaults();
    expect(await storedLinks()).toEqual(before);
  });

  it('a read is known not to be done, although the use of its key is noted with it', async () => {
    const caller = await seedCaller();
    loseResponses(HANGS);
    const response = await openIsolate()('/v1/links', { headers: { 'X-API-Key': caller.apiKey } });
    expect(await response.json()).toEqual({ result: 'Failed', error: OUTAGE });
  });

  it('an edit whose link could not be read is known not to be done', async () => {
    const caller = await seedCaller();
    const { id } = await seedLink(caller);
    loseResponses(HANGS);
    const response = await openIsolate()(`/v1/links/${id}`, { method: 'DELETE', headers: bearerOf(caller) });
    expect(await response.json()).toEqual({ result: 'Failed', error: OUTAGE });
  });
});
