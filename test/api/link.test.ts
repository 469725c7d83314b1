import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UNSET_FIELDS } from '../../scripts/reference/examples.ts';
import { failed, follow, open } from '../support/manage.ts';
import { NO_CLICKS, rowsOf, seedDomain } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The part of a link that its change does not return. */
interface Clicks {
  readonly clicks: unknown;
  readonly clicks_left: unknown;
}

describe('a link', () => {
  it('a link is complete, with its clicks and an ETag that clicks do not change', async () => {
    const { make, ask, tenant } = await open();
    const id = await make({ sec_id: 'print', campaign_name: 'Spring', metadata: '{"a":1}' });
    const { status, body, headers } = await ask('GET', `/v1/links/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      short_url: `${ORIGIN}/${id}`,
      url: 'https://example.com/',
      client_id: tenant.clientId,
      sec_id: 'print',
      campaign_name: 'Spring',
      custom_domain: null,
      metadata: '{"a":1}',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      slug: id,
      aliases: [],
      ...UNSET_FIELDS,
      disabled: false,
      state: 'active',
      waits_for: null,
      unhealthy: null,
      updated_at: body['created_at'],
      clicks_left: null,
      clicks: NO_CLICKS,
    });
    expect(headers.get('ETag')).toMatch(/^"\d+"$/);
  });

  it('a link accepts its own destination in an edit, however long its escapes are, but no longer one', async () => {
    const { make, ask } = await open();
    const id = await make({ url: `https://example.com/${'ü'.repeat(600)}` });
    const { url } = (await ask<{ url: string }>('GET', `/v1/links/${id}`)).body;
    expect(url).toHaveLength(3620);
    const edited = await ask('PATCH', `/v1/links/${id}`, { url, campaign_name: 'Spring' });
    expect(edited).toMatchObject({ status: 200, body: { url, campaign_name: 'Spring' } });
    const longer = `https://example.com/${'a'.repeat(8173)}`;
    expect(await ask('PATCH', `/v1/links/${id}`, { url: longer })).toMatchObject({
      status: 400,
      body: failed('too_long'),
    });
  });

  it('a link is read in one trip and edited in two, with one KV write', async () => {
    const { make, ask } = await open();
    const id = await make();
    const trips = await countTrips();
    await ask('GET', `/v1/links/${id}`);
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/new' });
    expect(trips()).toEqual({ d1: 3, kvReads: 0, kvWrites: 1 });
  });

  it('a link is shown to a key with links:write only in the response to a change, even an empty one', async () => {
    const { make, ask, read } = await open();
    const id = await make({ campaign_name: 'Spring', metadata: '{"a":1}' });
    const made = await ask('POST', '/v1/keys', { name: 'writer', scopes: ['links:write'] });
    const writer = { 'X-API-Key': String(made.body['key']) };
    const { clicks: _, clicks_left: _left, ...link } = (await read(id)) as Awaited<ReturnType<typeof read>> & Clicks;
    expect(await ask('PATCH', `/v1/links/${id}`, {}, writer)).toMatchObject({ status: 200, body: link });
    for (const path of [`/v1/links/${id}`, '/v1/links', `/v1/links/${id}/history`, `/v1/links/${id}/stats`])
      expect(await ask('GET', path, undefined, writer)).toMatchObject({
        status: 403,
        body: failed('insufficient_scope'),
      });
  });

  it('a link changes the fields that were sent, and no others', async () => {
    const { make, ask, read } = await open();
    const id = await make({ sec_id: 's', campaign_name: 'Spring', metadata: '{}' });
    const before = await read(id);
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const change = { url: 'https://example.com/new?a=b', campaign_name: null, expires_at, sec_id: 't' };
    const { status, body, headers } = await ask('PATCH', `/v1/links/${id}`, change);
    expect(status).toBe(200);
    const { clicks: _, clicks_left: _left, ...rest } = before as typeof before & Clicks;
    expect(body).toEqual({ ...rest, ...change, updated_at: expect.any(String) });
    expect((await ask('GET', `/v1/links/${id}`)).headers.get('ETag')).toBe(headers.get('ETag'));
    expect(await follow(`/${id}`)).toEqual([302, 'https://example.com/new?a=b']);
    expect((await ask('PATCH', `/v1/links/${id}`, { expires_at: null, metadata: null })).body).toMatchObject({
      expires_at: null,
      metadata: null,
    });
  });

  it('a link is as it was after an edit that changes nothing', async () => {
    const { make, ask, read } = await open();
    const id = await make();
    const before = await read(id);
    expect((await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/' })).status).toBe(200);
    expect((await ask('PATCH', `/v1/links/${id}`, {})).status).toBe(200);
    expect(await read(id)).toEqual(before);
    expect((await rowsOf('link_history')).filter((row) => row['link_id'] === id)).toEqual([]);
  });

  it('a link goes through its states: disabled, enabled, expired, deleted, restored', async () => {
    const { make, ask, read } = await open();
    const id = await make();
    expect((await ask('PATCH', `/v1/links/${id}`, { disabled: true })).body).toMatchObject({ state: 'disabled' });
    expect(await follow(`/${id}`)).toEqual([410, null]);
    await ask('PATCH', `/v1/links/${id}`, { disabled: false });
    expect(await follow(`/${id}`)).toEqual([302, 'https://example.com/']);
    await ask('PATCH', `/v1/links/${id}`, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    vi.setSystemTime(Date.now() + 60_000);
    expect(await read(id)).toMatchObject({ state: 'expired' });
    expect(await follow(`/${id}`)).toEqual([410, null]);
    await ask('PATCH', `/v1/links/${id}`, { expires_at: null });
    expect(await ask('DELETE', `/v1/links/${id}`)).toMatchObject({ status: 204, body: null });
    expect(await read(id)).toMatchObject({ state: 'deleted' });
    expect(await follow(`/${id}`)).toEqual([410, null]);
    expect((await ask('DELETE', `/v1/links/${id}`)).status).toBe(204);
    expect(await ask('PATCH', `/v1/links/${id}`, { disabled: true })).toMatchObject({
      status: 409,
      body: failed('link_deleted'),
    });
    expect(await ask('POST', `/v1/links/${id}/restore`)).toMatchObject({ status: 200, body: { state: 'active' } });
    expect(await follow(`/${id}`)).toEqual([302, 'https://example.com/']);
  });

  it('a link cannot be restored after 30 days', async () => {
    const { make, ask } = await open();
    const id = await make();
    await ask('DELETE', `/v1/links/${id}`);
    await env.DB.prepare('UPDATE links SET deleted_at = ?2 WHERE id = ?1')
      .bind(id, Date.now() - 30 * 24 * 3_600_000)
      .run();
    expect(await ask('POST', `/v1/links/${id}/restore`)).toMatchObject({ status: 404, body: failed('not_found') });
  });
});

describe('a bad edit', () => {
  it.each<[fields: unknown, code: string]>([
    [{ url: 'ftp://example.com' }, 'invalid_url'],
    [{ url: null }, 'invalid_url'],
    [{ url: 7 }, 'invalid_url'],
    [{ url: '' }, 'invalid_url'],
    [{ slug: '' }, 'invalid_slug'],
    [{ sec_id: '' }, 'invalid_sec_id'],
    [{ campaign_name: '' }, 'invalid_campaign_name'],
    [{ metadata: '' }, 'invalid_metadata'],
    [{ expires_at: '' }, 'invalid_expires_at'],
    [{ url: `${ORIGIN}/x` }, 'own_host'],
    [{ colour: 'red' }, 'unknown_field'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'invalid_expires_at'],
    [{ expires_at: 'tomorrow' }, 'invalid_expires_at'],
    [{ disabled: 'yes' }, 'invalid_disabled'],
    [{ aliases: ['not-mine'] }, 'invalid_aliases'],
    [{ metadata: '{' }, 'invalid_metadata'],
    [{ client_id: 'other' }, 'unknown_field'],
    [[], 'malformed_body'],
  ])('the edit %j is 400 and changes nothing', async (fields, code) => {
    const { make, ask, read } = await open();
    const id = await make();
    const before = await read(id);
    expect(await ask('PATCH', `/v1/links/${id}`, fields)).toMatchObject({ status: 400, body: failed(code) });
    expect(await read(id)).toEqual(before);
  });

  it('an edit to an active custom domain is refused as a circle', async () => {
    const { make, ask, tenant } = await open();
    const id = await make();
    const host = await seedDomain(tenant);
    expect(await ask('PATCH', `/v1/links/${id}`, { url: `https://${host}/x` })).toMatchObject({
      status: 400,
      body: failed('own_host'),
    });
  });
});
