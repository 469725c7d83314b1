import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { FREQUENT_CRON } from '../../src/app/crons.ts';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { MAX_A_RUN } from '../../src/domains/daily.ts';
import { selectDue } from '../../src/domains/proof-store.ts';
import page from '../../docs/domains.md?raw';
import { newHost, serveHosts, setDns, thisService } from '../support/domains.ts';
import { seedCaller } from '../support/forms.ts';
import { countTrips } from '../support/trips.ts';

/** The runs of the daily checks: how many domains each checks, for how long, and what ends it. */

const RUNS_A_DAY = 288;

beforeEach(async () => {
  zone = newHost();
  vi.setSystemTime('2026-05-20T04:17:00Z');
  await env.DB.prepare('DELETE FROM domains').run();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

// The resolver remembers the names of earlier tests.
let zone = '';
const hostOf = (n: number) => `n${n}.${zone}`;

/** Verified domains, the first due the longest, and the records of all except the last one. */
async function seedMany(domains: number): Promise<void> {
  const { clientId } = await seedCaller();
  await env.DB.prepare(
    `INSERT INTO domains (id, client_id, host, status, token, verified_at, checked_at)
      SELECT 'run' || key, ?1, value, 'active', 'token' || key, 1, key + 1 FROM json_each(?2)`,
  )
    .bind(clientId, JSON.stringify(Array.from({ length: domains }, (_, n) => hostOf(n))))
    .run();
  await Promise.all(
    Array.from({ length: domains - 1 }, (_, n) => setDns(`_terse.${hostOf(n)}`, { txt: [`terse-domain=token${n}`] })),
  );
}

async function runCron(resolverUrl = inject('resolverUrl')): Promise<void> {
  const app = createApp(parseConfig({ ...env, DNS_RESOLVER_URL: resolverUrl }));
  await app.scheduled(createScheduledController({ cron: FREQUENT_CRON }), env);
}

async function checked(): Promise<{ readonly host: string; readonly failures: number }[]> {
  const { results } = await env.DB.prepare(
    'SELECT host, failures FROM domains WHERE checked_at > 1000000 ORDER BY cast(substr(host, 2) AS INTEGER)',
  ).all<{ host: string; failures: number }>();
  return results;
}

const nextRun = () => vi.setSystemTime(Date.now() + 5 * 60_000);

describe('a run of the daily checks', () => {
  it('a run of the daily checks checks as many domains that 50,000 are checked in a day, each once', async () => {
    expect(MAX_A_RUN * RUNS_A_DAY).toBeGreaterThanOrEqual(50_000);
    await seedMany(MAX_A_RUN + 20);
    const requests = serveHosts();
    await runCron();
    expect(await checked()).toHaveLength(MAX_A_RUN);
    nextRun();
    await runCron();
    nextRun();
    await runCron();
    expect(await checked()).toHaveLength(MAX_A_RUN + 20);
    const hosts = requests.map(({ url }) => new URL(url).hostname);
    expect(hosts).toHaveLength(MAX_A_RUN + 20);
    expect(new Set(hosts).size).toBe(hosts.length);
  });

  it.each([
    [MAX_A_RUN * RUNS_A_DAY, 24],
    [100_000, 47],
    [200_000, 93],
  ])(
    'a run of the daily checks checks each of %i domains as often as the documentation says, every %i hours',
    (domains, hours) => {
      expect(Math.ceil((domains / (MAX_A_RUN * RUNS_A_DAY)) * 24)).toBe(hours);
      const row = new RegExp(
        `^\\| (?:up to )?${domains.toLocaleString('en-US')} +\\| ${hours} hours +\\| ${Math.ceil((3 * hours) / 24)} days`,
        'm',
      );
      expect(page).toMatch(row);
    },
  );

  it('a run of the daily checks checks few at a time, and writes a hundred in one trip', async () => {
    await seedMany(130);
    let [atOnce, most] = [0, 0];
    serveHosts(() => async (asked) => {
      most = Math.max(most, (atOnce += 1));
      // Long enough for the other requests to arrive meanwhile.
      await scheduler.wait(10);
      const answer = await thisService(asked);
      atOnce -= 1;
      return answer;
    });
    const trips = await countTrips();
    await runCron();
    // Eight for links, their checks, deliveries, events, clicks and entries of KV, two for mails, one to read what is due,
    // two to write it down.
    expect(trips()).toMatchObject({ d1: 13 });
    expect(most).toBe(3);
    const results = await checked();
    expect(results.filter(({ failures }) => failures === 0)).toHaveLength(129);
    expect(results.at(-1)).toEqual({ host: hostOf(129), failures: 1 });
  });

  it('a run of the daily checks is not held up by one slow host, whose failure counts as that of any other', async () => {
    await seedMany(40);
    const { promise: othersAnswered, resolve } = Promise.withResolvers<void>();
    let answered = 0;
    serveHosts((host) => async (asked) => {
      if (host === hostOf(0)) {
        await othersAnswered;
        return new Response('late', { status: 504 });
      }
      if ((answered += 1) === 39) resolve();
      return thisService(asked);
    });
    await runCron();
    const results = await checked();
    expect(results).toHaveLength(40);
    expect(results.filter(({ failures }) => failures > 0).map(({ host }) => host)).toEqual([hostOf(0), hostOf(39)]);
  });

  it('a run of the daily checks begins no check after four minutes, and the next run continues with those that wait', async () => {
    await seedMany(20);
    const hosts: string[] = [];
    serveHosts((host) => (asked) => {
      hosts.push(host);
      vi.setSystemTime(Date.now() + 60_000);
      return thisService(asked);
    });
    await runCron();
    const first = hosts.length;
    expect(first).toBeGreaterThanOrEqual(4);
    // Checks that had begun end.
    expect(first).toBeLessThanOrEqual(6);
    expect(await checked()).toHaveLength(first);
    nextRun();
    await runCron();
    expect(new Set(hosts).size).toBe(hosts.length);
    // Three are asked at a time, in any order.
    expect(hosts.slice(first, first + 3)).toContain(hostOf(first));
  });

  it('a run of the daily checks finds what is due by an index', async () => {
    const { sql, params } = selectDue(1, 1);
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    expect(results.map(({ detail }) => detail)).toEqual(['SEARCH domains USING INDEX domains_by_check (<expr><?)']);
  });
});

describe('a run while the resolver fails', () => {
  it('a run ends soon, counts nothing, fails, and leaves all domains due while the resolver does not respond', async () => {
    await seedMany(60);
    const requests = serveHosts(() => undefined);
    const error = vi.spyOn(console, 'error').mockReturnValue();
    await expect(runCron('http://127.0.0.1:9/dns-query')).rejects.toMatchObject({ code: 'resolver_unavailable' });
    expect(await checked()).toEqual([]);
    expect(requests.length).toBeLessThan(40);
    expect(error.mock.calls.map(([line]) => JSON.parse(String(line))['event'])).toEqual(['domains_not_checked']);
    vi.restoreAllMocks();
    serveHosts();
    nextRun();
    await runCron();
    expect(await checked()).toHaveLength(60);
  });

  it('a run loses no domain while the resolver responds to everything with a failure', async () => {
    await seedMany(2);
    const broken = `${inject('resolverUrl')}?broken`;
    serveHosts();
    vi.spyOn(console, 'error').mockReturnValue();
    for (const name of ['.', `_terse.${hostOf(0)}`, `_terse.${hostOf(1)}`]) {
      await setDns(name, { rcode: 'SERVFAIL' }, broken);
    }
    await expect(runCron(broken)).rejects.toMatchObject({ code: 'resolver_unavailable' });
    expect(await checked()).toEqual([]);
  });

  it('a run counts a failure of one domain alone whose name servers fail', async () => {
    await seedMany(3);
    serveHosts();
    await setDns(`_terse.${hostOf(0)}`, { rcode: 'SERVFAIL' });
    await runCron();
    expect(await checked()).toEqual([
      { host: hostOf(0), failures: 1 },
      { host: hostOf(1), failures: 0 },
      { host: hostOf(2), failures: 1 },
    ]);
  });

  it('a run checks the others, and counts no failure, while the resolver does not respond for one domain', async () => {
    await seedMany(30);
    serveHosts();
    vi.spyOn(console, 'error').mockReturnValue();
    for (let n = 0; n < 15; n++) await setDns(`_terse.${hostOf(n)}`, { raw: { base64: '', status: 503 } });
    await runCron();
    const results = await checked();
    expect(results).toHaveLength(30);
    expect(results.filter(({ failures }) => failures > 0).map(({ host }) => host)).toEqual([hostOf(29)]);
  });
});
