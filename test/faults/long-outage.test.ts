import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TIMEOUT_MS } from '../../src/bounds/timeouts.ts';
import { holdQueue } from '../support/clicks.ts';
import { breakD1, breakKv, D1_FAULTS, endFaults, KV_FAULTS, stopTimers } from '../support/faults.ts';
import { seedDomain, seedLink, seedTenant, type LinkRecord } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

/** Outages that last longer than an isolate remembers a link. */

afterEach(endFaults);

const [FAILS] = D1_FAULTS;
const FIRST = 'https://example.com/first';
const NEW = 'https://example.com/new';
const MEMORY_MS = 30_000;
const HOUR_MS = 3600_000;

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** An isolate that has followed a link, which KV does not have, before D1 fails. */
async function openOutage() {
  holdQueue();
  const tenant = await seedTenant();
  const [link, cold] = [await seedLink(tenant, { url: FIRST }), await seedLink(tenant)];
  const isolate = openIsolate();
  await isolate(`/${link.id}`);
  const begin = () => {
    breakD1(FAILS!);
    holdQueue();
  };
  const visit = async () => {
    const response = await isolate(`/${link.id}`);
    return [response.status, response.headers.get('Location')];
  };
  /** A visit of another link, by which the isolate finds that D1 fails. */
  const notice = async () => expect((await isolate(`/${cold.id}`)).status).toBe(503);
  return { link, begin, visit, notice };
}

describe.each([true, false])('an outage of D1, with a KV that responds: %s', (kvResponds) => {
  it('an outage of an hour leaves a link that memory had when it began, until D1 responds again', async () => {
    const { link, begin, visit, notice } = await openOutage();
    begin();
    if (!kvResponds) breakKv(KV_FAULTS[0]!);
    await notice();
    for (let passed = 0; passed < HOUR_MS; passed += MEMORY_MS + 1000) {
      pass(MEMORY_MS + 1000);
      expect(await visit()).toEqual([302, FIRST]);
    }
    const now = Date.now();
    endFaults();
    holdQueue();
    vi.setSystemTime(now + MEMORY_MS);
    await env.DB.prepare('UPDATE links SET url = ? WHERE id = ?').bind(NEW, link.id).run();
    expect(await visit()).toEqual([302, NEW]);
  });

  it('an outage leaves a link that memory had under another spelling of its path', async () => {
    const tenant = await seedTenant();
    const [slug, host] = ['poster', await seedDomain(tenant)];
    const cold = await seedLink(tenant);
    await seedLink(tenant, { slug, url: FIRST, custom_domain: host });
    const isolate = openIsolate();
    const paths = ['POSTER', 'poster.', 'poster)'];
    for (const path of paths) await isolate(`https://${host}/${path}`);
    breakD1(FAILS!);
    if (!kvResponds) breakKv(KV_FAULTS[0]!);
    holdQueue();
    expect((await isolate(`/${cold.id}`)).status).toBe(503);
    for (let visit = 0; visit < 3; visit++) {
      pass(MEMORY_MS + 1000);
      for (const path of paths)
        expect([path, (await isolate(`https://${host}/${path}`)).headers.get('Location')]).toEqual([path, FIRST]);
    }
  });

  it('an outage leaves no link that memory had no longer when it began', async () => {
    const { begin, visit } = await openOutage();
    begin();
    if (!kvResponds) breakKv(KV_FAULTS[0]!);
    pass(MEMORY_MS);
    expect((await visit())[0]).toBe(503);
  });
});

describe('the end of what memory serves', () => {
  it('an outage of two hours is the longest for which memory serves a link', async () => {
    const { begin, visit, notice } = await openOutage();
    begin();
    await notice();
    for (let passed = 0; passed < 2 * HOUR_MS - MEMORY_MS; passed += MEMORY_MS) {
      pass(MEMORY_MS);
      expect((await visit())[0]).toBe(302);
    }
    pass(MEMORY_MS);
    expect((await visit())[0]).toBe(503);
  });

  it('two failures that are more than a minute apart are two outages, since links may be edited between them', async () => {
    const { begin, visit, notice } = await openOutage();
    begin();
    await notice();
    pass(60_000);
    expect((await visit())[0]).toBe(503);
  });

  it('an edit that KV has is served instead of what memory had', async () => {
    const { link, begin, visit, notice } = await openOutage();
    const entry = { linkId: link.id, clientId: 'any', campaignName: null, url: NEW, ending: null, expiresAt: null };
    await env.LINKS.put(`/${link.id}`, JSON.stringify({ ...entry, extras: null, revision: 2, at: Date.now() }));
    begin();
    await notice();
    expect(await visit()).toEqual([302, FIRST]);
    pass(MEMORY_MS);
    expect(await visit()).toEqual([302, NEW]);
  });

  it('a link that passes on what follows its slug is served from memory for a path below it', async () => {
    holdQueue();
    const tenant = await seedTenant();
    const host = await seedDomain(tenant);
    await seedLink(tenant, { url: FIRST, custom_domain: host, slug: 'manual', forward_path: 'true' });
    const isolate = openIsolate();
    await isolate(`https://${host}/manual/a`);
    breakD1(FAILS!);
    holdQueue();
    await isolate(`https://${host}/other`);
    pass(MEMORY_MS);
    const response = await isolate(`https://${host}/manual/a`);
    expect([response.status, response.headers.get('Location')]).toEqual([302, `${FIRST}/a`]);
  });
});

describe('a KV that hangs', () => {
  /** Three visits of links that memory does not have, each of which waits a second for KV. */
  async function openHang() {
    holdQueue();
    const tenant = await seedTenant();
    const links: LinkRecord[] = [];
    for (let index = 0; index < 8; index++) links.push(await seedLink(tenant));
    const hot = await seedLink(tenant, { url: FIRST });
    const before = openIsolate({ MEMORY_SECONDS: '0' });
    for (let visit = 0; visit < 2; visit++) await before(`/${hot.id}`);
    expect(await env.LINKS.get(`/${hot.id}`)).not.toBeNull();
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    stopTimers();
    const hanging = vi.spyOn(env.LINKS, 'get');
    const slow = async () => {
      hanging.mockImplementation(() => new Promise<never>(() => undefined));
      const reads = hanging.mock.calls.length;
      const responding = isolate(`/${links.pop()!.id}`, { method: 'HEAD' });
      await expect.poll(() => hanging.mock.calls.length).toBe(reads + 1);
      await vi.advanceTimersByTimeAsync(TIMEOUT_MS.kvRead);
      expect((await responding).status).toBe(302);
    };
    for (let visit = 0; visit < 3; visit++) await slow();
    /** A visit for which KV responds, if it is read. */
    const quick = async () => {
      hanging.mockImplementation(async () => null as never);
      return (await isolate(`/${links.pop()!.id}`, { method: 'HEAD' })).status;
    };
    return { hot, isolate, hanging, slow, quick };
  }

  it('a KV that hung three times is not read for ten seconds, then once, and again when it responds', async () => {
    const { hanging, slow, quick } = await openHang();
    expect([await quick(), hanging.mock.calls.length]).toEqual([302, 3]);
    pass(10_000);
    await slow();
    expect([await quick(), hanging.mock.calls.length]).toEqual([302, 4]);
    pass(10_000);
    expect([await quick(), await quick(), hanging.mock.calls.length]).toEqual([302, 302, 6]);
  });

  it('a KV that hung is read for a link that D1 cannot give', async () => {
    const { hot, isolate } = await openHang();
    endFaults();
    breakD1(FAILS!);
    holdQueue();
    const response = await isolate(`/${hot.id}`);
    expect([response.status, response.headers.get('Location')]).toEqual([302, FIRST]);
  });
});
