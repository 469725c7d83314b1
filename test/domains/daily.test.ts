import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { FREQUENT_CRON } from '../../src/app/crons.ts';
import { createApp } from '../../src/app/app.ts';
import type { DomainRecord } from '../../src/api/domain-record.ts';
import { parseConfig } from '../../src/config/config.ts';
import { ask, proveByDns, request, seedClaim, seedProved, serveHosts, setDns, whole } from '../support/domains.ts';
import { holdQueue } from '../support/clicks.ts';
import { expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { seedDomain, seedLink } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { addWebhook, eventsOf } from '../support/webhooks.ts';

const DAY_MS = 24 * 3600 * 1000;

beforeEach(async () => {
  vi.setSystemTime('2026-05-20T04:17:00Z');
  await env.DB.prepare('DELETE FROM domains').run();
  serveHosts();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Moves all instants of domains into the past; the callers' tokens stay as young as they are. */
async function pass(milliseconds: number): Promise<void> {
  await env.DB.prepare('UPDATE domains SET verified_at = verified_at - ?1, checked_at = checked_at - ?1')
    .bind(milliseconds)
    .run();
}

/** Runs the cron, a day later. */
async function nextDay(): Promise<void> {
  await pass(DAY_MS);
  await runCron();
}

async function runCron(): Promise<void> {
  const app = createApp(parseConfig({ ...env, DNS_RESOLVER_URL: inject('resolverUrl') }));
  await app.scheduled(createScheduledController({ cron: FREQUENT_CRON }), env);
}

async function read(caller: Caller, { id }: DomainRecord): Promise<DomainRecord> {
  return (await request(caller, `/v1/domains/${id}`)).json();
}

const remove = (domain: DomainRecord) => setDns(domain.dns.txt.name, { rcode: 'NXDOMAIN' });

describe('the daily check', () => {
  it('the daily check loses a domain after three failures: its links keep working, and new ones are refused', async () => {
    const caller = await seedCaller();
    const domain = await seedProved(caller);
    await addWebhook(caller.clientId, { events: ['domain.lost'] });
    const link = await seedLink(caller, { custom_domain: domain.host });
    // A click that is counted later would be one of another test's trips.
    holdQueue();
    await remove(domain);
    const seen = [];
    for (let day = 1; day <= 4; day++) {
      await nextDay();
      const { status, failures } = await read(caller, domain);
      seen.push([status, failures]);
    }
    expect(seen).toEqual([
      ['active', 1],
      ['active', 2],
      ['lost', 3],
      ['lost', 4],
    ]);
    const data = { id: domain.id, host: domain.host, reason: 'lost', status: 'lost' };
    expect(await eventsOf(caller.clientId)).toEqual([{ type: 'domain.lost', data }]);
    expect((await openIsolate()(link.short_url)).status).toBe(302);
    const form = { url: 'https://example.com/', client_id: caller.clientId, custom_domain: domain.host };
    await expectFailure(
      await ask('/v1/links', { headers: { 'X-API-Key': caller.apiKey }, form }),
      400,
      `unknown_domain: custom_domain ${domain.host} is not one of your active domains. Verify it first, or leave it out.`,
    );
    expect((await read(caller, domain)).next).toMatch(
      /^Verification failed on three days: existing links keep working, new ones are refused\. Set/,
    );
  });

  it('the daily check counts failures in a row only, and makes a lost domain active again when its records are back', async () => {
    const caller = await seedCaller();
    const domain = await seedProved(caller);
    await remove(domain);
    await nextDay();
    await nextDay();
    await proveByDns(domain);
    await nextDay();
    expect(await read(caller, domain)).toMatchObject({
      status: 'active',
      failures: 0,
      checked_at: '2026-05-20T04:17:00.000Z',
      verified_at: '2026-05-17T04:17:00.000Z',
    });
    await remove(domain);
    for (let day = 0; day < 3; day++) await nextDay();
    expect(await read(caller, domain)).toMatchObject({ status: 'lost', failures: 3 });
    await proveByDns(domain);
    await nextDay();
    expect(await read(caller, domain)).toMatchObject({ status: 'active', failures: 0, next: null });
  });

  it('the daily check notes in the audit log, once each, that a domain is lost and that it is back', async () => {
    const caller = await seedCaller();
    const domain = await seedProved(caller);
    const healthy = await seedProved(caller);
    await remove(domain);
    for (let day = 0; day < 5; day++) await nextDay();
    await proveByDns(domain);
    await nextDay();
    await nextDay();
    const { entries } = await (await request(caller, '/v1/audit')).json<{ entries: Record<string, unknown>[] }>();
    const byService = entries.filter(({ credential }) => JSON.stringify(credential).includes('service'));
    const entry = {
      id: expect.any(String),
      at: '2026-05-20T04:17:00.000Z',
      subject: { kind: 'domain', id: domain.id, name: domain.host },
      details: null,
      by: { local_id: null, name: null },
      credential: { kind: 'service', id: null },
    };
    expect(byService.toSorted((a, b) => String(a['action']).localeCompare(String(b['action'])))).toEqual([
      { ...entry, action: 'domain.lost' },
      { ...entry, action: 'domain.recovered' },
    ]);
    expect(await read(caller, healthy)).toMatchObject({ status: 'active', failures: 0 });
  });

  it('the daily check counts a host that no longer responds, too', async () => {
    const caller = await seedCaller();
    const domain = await seedProved(caller);
    vi.restoreAllMocks();
    serveHosts(() => undefined);
    await nextDay();
    expect(await read(caller, domain)).toMatchObject({
      failures: 1,
      next: expect.stringMatching(/^The last daily check failed\. Set the TXT record/),
    });
  });

  it('the daily check counts no failure of a domain while the resolver does not respond', async () => {
    const caller = await seedCaller();
    const domain = await seedProved(caller);
    await remove(domain);
    await nextDay();
    await setDns(domain.dns.txt.name, { raw: { base64: '', status: 503 } });
    for (let day = 0; day < 3; day++) await nextDay();
    expect(await read(caller, domain)).toMatchObject({ status: 'active', failures: 1 });
  });

  it('the daily check checks no domain twice in a day, though the cron comes every five minutes', async () => {
    const caller = await seedCaller();
    const domain = await seedProved(caller);
    await remove(domain);
    await nextDay();
    await Promise.all([runCron(), runCron()]);
    await pass(23 * 3600 * 1000);
    await runCron();
    expect(await read(caller, domain)).toMatchObject({ failures: 1 });
  });

  it('the daily check leaves alone what is only claimed, and what the operator has added', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await seedDomain(caller);
    vi.restoreAllMocks();
    const made = serveHosts(() => undefined);
    await nextDay();
    expect(made).toEqual([]);
    expect(await read(caller, claim)).toEqual(whole(claim));
  });
});
