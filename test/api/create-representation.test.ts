import { describe, expect, it } from 'vitest';
import { expectFailure, seedCaller } from '../support/forms.ts';
import { open } from '../support/manage.ts';
import { call } from '../support/service.ts';

const LINK_TYPE = 'application/vnd.terse.link+json';

const create = (headers: Record<string, string>, body: object) =>
  call('/v1/links', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('a create that asks for the managed link', () => {
  it('a create that asks for the managed link gets 201 with the link, Location and ETag', async () => {
    const { tenant, key, ask } = await open();
    const response = await create(
      { ...key, Accept: LINK_TYPE },
      { url: 'https://example.com/', expires_at: '2100-01-01T00:00:00Z', metadata: { team: 'web' } },
    );
    expect(response.status).toBe(201);
    expect(response.headers.get('Content-Type')).toBe(LINK_TYPE);
    const link = await response.json<{ id: string }>();
    expect(response.headers.get('Location')).toBe(`/v1/links/${link.id}`);
    const got = await ask('GET', response.headers.get('Location')!);
    const { clicks: _, clicks_left: _left, ...managed } = got.body;
    expect(link).toEqual(managed);
    expect(link).toMatchObject({ client_id: tenant.clientId, state: 'active', metadata: '{"team":"web"}' });
    expect(response.headers.get('ETag')).toBe(got.headers.get('ETag'));
    const ifMatch = { ...key, 'If-Match': response.headers.get('ETag')! };
    expect(await ask('PATCH', `/v1/links/${link.id}`, { sec_id: 'x' }, ifMatch)).toMatchObject({ status: 200 });
  });

  it.each([
    ['*/*', 200],
    ['application/json', 200],
    ['application/*', 200],
    [`${LINK_TYPE};q=0`, 200],
    [`${LINK_TYPE};q=0.5, application/json`, 200],
    [`application/json;q=0.5, ${LINK_TYPE}`, 201],
    [`${LINK_TYPE}, application/json, */*`, 201],
    ['Application/VND.terse.Link+JSON', 201],
  ])('a create that asks for the managed link gets with Accept: %s the status %i', async (accept, status) => {
    const caller = await seedCaller();
    const response = await create({ 'X-API-Key': caller.apiKey, Accept: accept }, { url: 'https://example.com/' });
    expect(response.status).toBe(status);
    expect(Object.keys(await response.json<object>()).includes('result')).toBe(status === 200);
  });

  it('a form cannot ask for the managed link, since its response is published', async () => {
    const caller = await seedCaller();
    const form = { url: 'https://example.com/', client_id: caller.clientId };
    const response = await call('/v1/links', { headers: { 'X-API-Key': caller.apiKey, Accept: LINK_TYPE }, form });
    expect(response.status).toBe(200);
    expect(Object.keys(await response.json<object>())).toEqual(['result']);
  });

  it('a create that asks for the managed link gets errors in the usual form', async () => {
    const caller = await seedCaller();
    const response = await create({ 'X-API-Key': caller.apiKey, Accept: LINK_TYPE }, { url: 'ftp://example.com/' });
    await expectFailure(response, 400, expect.stringMatching(/^invalid_url: /));
  });

  it('a create that asks for the managed link gets the same response again under its Idempotency-Key; another representation is different content', async () => {
    const caller = await seedCaller();
    const key = { 'X-API-Key': caller.apiKey, 'Idempotency-Key': 'k' };
    const fields = { url: 'https://example.com/' };
    const summaryOf = async (response: Response) => [
      response.status,
      response.headers.get('Location'),
      response.headers.get('ETag'),
      await response.text(),
    ];
    const first = await summaryOf(await create({ ...key, Accept: LINK_TYPE }, fields));
    expect(first[0]).toBe(201);
    expect(await summaryOf(await create({ ...key, Accept: LINK_TYPE }, fields))).toEqual(first);
    await expectFailure(await create(key, fields), 409, expect.stringMatching(/^idempotency_key_reused: /));
  });
});
