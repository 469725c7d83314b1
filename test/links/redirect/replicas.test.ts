import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdQueue } from '../../support/clicks.ts';
import { countQueries } from '../../support/d1.ts';
import { answerNearest, OLD, openReplica, seedReplicated, responseSummary, updateLink } from '../../support/replica.ts';
import { seedDomain, seedLink, seedTenant } from '../../support/seed.ts';
import { openIsolate } from '../../support/service.ts';

const NEW = 'https://example.com/new';

beforeEach(() => {
  holdQueue();
  // The clock moves when a test moves it.
  vi.setSystemTime(Date.now());
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const cached = (id: string) => env.LINKS.get<Record<string, unknown>>(`/${id}`, 'json');
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

describe('a cold redirect from a replica', () => {
  it('a cold redirect from a replica is what the replica has, for its lag and MEMORY_SECONDS', async () => {
    const { path, id } = await seedReplicated();
    await updateLink(id, `url = '${NEW}'`);
    const isolate = openIsolate({ MEMORY_SECONDS: '10' });
    expect(await responseSummary(isolate, path)).toBe(`302 ${OLD}`);
    // From here on the primary answers: the replica has caught up.
    vi.restoreAllMocks();
    later(9);
    expect(await responseSummary(isolate, path)).toBe(`302 ${OLD}`);
    later(1);
    expect(await responseSummary(isolate, path)).toBe(`302 ${NEW}`);
  });

  it('a cold redirect from a replica is the newer state if its isolate writes that while the replica responds', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant, { url: OLD });
    const [asked, edited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    answerNearest(async (_, ask) => {
      const results = await ask();
      asked.resolve();
      await edited.promise;
      return results.map((result) => ({ ...result, meta: { ...result.meta, served_by_primary: false } }));
    });
    const isolate = openIsolate();
    const answering = responseSummary(isolate, `/${link.id}`);
    await asked.promise;
    const response = await isolate(`/v1/links/${link.id}`, {
      method: 'PATCH',
      headers: { 'X-API-Key': tenant.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: NEW }),
    });
    expect(response.status).toBe(200);
    edited.resolve();
    expect(await answering).toBe(`302 ${NEW}`);
  });
});

describe('the confirmation by the primary', () => {
  it('the primary confirms a link that the replica does not have yet', async () => {
    const tenant = await seedTenant();
    openReplica();
    expect(await responseSummary(openIsolate(), '/just-made')).toBe('404');
    await seedLink(tenant, { slug: 'just-made', url: NEW });
    const queries = await countQueries();
    expect(await responseSummary(openIsolate(), '/just-made')).toBe(`302 ${NEW}`);
    expect(queries()).toEqual({ primary: 1, nearest: 1 });
  });

  it('the primary confirms a link of a custom domain that the replica does not have yet', async () => {
    const tenant = await seedTenant();
    const host = await seedDomain(tenant);
    await env.DB.prepare('UPDATE domains SET not_found_url = ?2 WHERE host = ?1').bind(host, OLD).run();
    openReplica();
    const url = `https://${host}/just-made`;
    expect(await responseSummary(openIsolate(), url)).toBe(`302 ${OLD}`);
    await seedLink(tenant, { slug: 'just-made', custom_domain: host, url: NEW });
    expect(await responseSummary(openIsolate(), url)).toBe(`302 ${NEW}`);
  });

  it('the primary confirms by one more trip that an address has no link', async () => {
    openReplica();
    const queries = await countQueries();
    expect(await responseSummary(openIsolate(), '/nosuchid')).toBe('404');
    expect(queries()).toEqual({ primary: 1, nearest: 1 });
  });

  const ENDS: readonly (readonly [what: string, end: string, undo: string, status: string])[] = [
    ['deleted', 'deleted_at = 1', 'deleted_at = NULL', '410'],
    ['disabled', 'disabled_at = 1', 'disabled_at = NULL', '410'],
    ['expired', 'expires_at = 1', 'expires_at = NULL', '410'],
  ];

  it.each(ENDS)('the primary confirms a link that the replica has as %s', async (_what, end, undo, status) => {
    const { path, id } = await seedReplicated(end);
    expect(await responseSummary(openIsolate(), path)).toBe(status);
    await updateLink(id, undo);
    expect(await responseSummary(openIsolate(), path)).toBe(`302 ${OLD}`);
  });

  it('the primary confirms a link that the replica has as blocked', async () => {
    const link = await seedLink(await seedTenant(), { url: 'https://evil.example/' });
    await env.DB.prepare(`INSERT INTO blocked_hosts VALUES ('evil.example', 0)`).run();
    openReplica();
    expect(await responseSummary(openIsolate(), `/${link.id}`)).toBe('403');
    await env.DB.prepare('DELETE FROM blocked_hosts').run();
    expect(await responseSummary(openIsolate(), `/${link.id}`)).toBe('302 https://evil.example/');
  });
});

describe('KV', () => {
  /** An isolate that misses a link for the second time, when only a replica has its old state. */
  async function missTwice(change: string) {
    const { path, id } = await seedReplicated();
    const isolate = openIsolate({ MEMORY_SECONDS: '10' });
    await responseSummary(isolate, path);
    await env.DB.prepare(change).bind(id).run();
    later(10);
    const queries = await countQueries();
    expect(await responseSummary(isolate, path)).toBe(`302 ${OLD}`);
    return { path, id, isolate, queries };
  }

  it('KV is filled with what the primary has, by a query after the response, and so is the memory', async () => {
    const { path, id, isolate, queries } = await missTwice(
      `UPDATE links SET url = '${NEW}', revision = revision + 1 WHERE id = ?1`,
    );
    expect(queries()).toEqual({ primary: 1, nearest: 1 });
    expect(await cached(id)).toMatchObject({ url: NEW });
    expect(await responseSummary(isolate, path)).toBe(`302 ${NEW}`);
  });

  it('KV is filled with what the primary has, also if a restore has taken it back to an older revision', async () => {
    const { path, id, isolate } = await missTwice(
      `UPDATE links SET url = '${NEW}', revision = revision - 1 WHERE id = ?1`,
    );
    expect(await cached(id)).toMatchObject({ url: NEW });
    expect(await responseSummary(isolate, path)).toBe(`302 ${NEW}`);
  });

  it('KV is filled with the state that the replica has too, if that is the present one', async () => {
    const { id } = await missTwice('SELECT ?1');
    expect(await cached(id)).toMatchObject({ url: OLD });
  });

  it('KV is not filled with a link that only the replica still has', async () => {
    const { id } = await missTwice('DELETE FROM addresses WHERE link_id = ?1');
    expect(await cached(id)).toBeNull();
  });

  it('KV is compared with the primary, not with a replica', async () => {
    const { path, id, isolate } = await missTwice('SELECT ?1');
    await updateLink(id, `url = '${NEW}'`);
    later(60);
    const queries = await countQueries();
    expect(await responseSummary(isolate, path)).toBe(`302 ${OLD}`);
    expect(queries()).toEqual({ primary: 1, nearest: 0 });
    expect(await cached(id)).toMatchObject({ url: NEW });
  });
});
