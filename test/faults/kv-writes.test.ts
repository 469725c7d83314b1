import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FREQUENT_CRON } from '../../src/app/crons.ts';
import worker from '../../src/index.ts';
import { STALENESS_SECONDS } from '../../src/links/redirect/staleness.ts';
import { holdQueue, logged } from '../support/clicks.ts';
import { D1_BATCH, D1_SESSION } from '../support/d1.ts';
import {
  breakD1,
  breakKv,
  D1_FAULTS,
  endFaults,
  hang,
  D1_REFUSALS,
  type Fault,
  type KvMethod,
} from '../support/faults.ts';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { openOperator } from '../support/operator.ts';
import { form, openBrowser } from '../support/platform.ts';
import { rowsOf, seedDomain, seedLink } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

/** KV takes no writes, and answers reads: what got a 200 is what visitors see, within the bound of any edit. */

beforeEach(() => void holdQueue());
afterEach(async () => {
  endFaults();
  await env.DB.batch([env.DB.prepare('DELETE FROM blocked_hosts'), env.DB.prepare('DELETE FROM unwritten_entries')]);
});

const OLD = 'https://old.example/';
const NEW = 'https://new.example/';
/** `MEMORY_SECONDS` (30) and the rest. */
const BOUND_MS = (30 + Object.values(STALENESS_SECONDS).reduce<number>((sum, seconds) => sum + seconds, 0)) * 1000;

const REFUSED: Fault = {
  name: 'takes no writes',
  call: async () => {
    throw new Error('KV put() limit exceeded for the day.');
  },
};
const HANGS: Fault = { name: 'hangs on writes', call: hang };
const BOTH: readonly KvMethod[] = ['put', 'delete'];

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const follow = async (url: string, isolate = openIsolate()) => {
  const response = await isolate(url);
  return [response.status, response.headers.get('Location')];
};

/** A link that KV has, also on a custom domain. */
async function seedHot(caller: Caller, host: string | null = null, fields: Readonly<Record<string, string>> = {}) {
  const link = await seedLink(caller, { url: OLD, ...(host && { custom_domain: host }), ...fields });
  const url = host === null ? `/${link.id}` : `https://${host}/${link.id}`;
  const isolate = openIsolate({ MEMORY_SECONDS: '0' });
  for (let i = 0; i < 2; i++) expect((await isolate(url)).status).toBe(302);
  expect(await env.LINKS.get(`${host ?? ''}/${link.id}`)).toContain(OLD);
  return { id: link.id, url };
}

const json = (caller: Caller, method: string, body?: object): RequestInit => ({
  method,
  headers: { ...bearerOf(caller), 'Content-Type': 'application/json' },
  ...(body && { body: JSON.stringify(body) }),
});

interface Change {
  readonly what: string;
  readonly status: number;
  readonly change: (caller: Caller, link: { readonly id: string }, host: string) => Promise<Response>;
  /** The response to visitors of the link afterwards. */
  readonly outcome: readonly [status: number, location: string | null];
  /** True if the link is on a custom domain. */
  readonly isOnDomain?: true;
}

const CHANGES: readonly Change[] = [
  {
    what: 'an edit',
    status: 200,
    change: (caller, { id }) => openIsolate()(`/v1/links/${id}`, json(caller, 'PATCH', { url: NEW })),
    outcome: [302, NEW],
  },
  {
    what: 'a link that is disabled',
    status: 200,
    change: (caller, { id }) => openIsolate()(`/v1/links/${id}`, json(caller, 'PATCH', { disabled: true })),
    outcome: [410, null],
  },
  {
    what: 'a deletion',
    status: 204,
    change: (caller, { id }) => openIsolate()(`/v1/links/${id}`, json(caller, 'DELETE')),
    outcome: [410, null],
  },
  {
    what: 'a change of many links',
    status: 303,
    change: async (caller, { id }) => {
      const { browse } = await openBrowser(caller);
      return browse(`/platform/c/${caller.clientId}/links/selected`, form({ do: 'disable', id }));
    },
    outcome: [410, null],
  },
  {
    what: 'a host that is blocked',
    status: 200,
    change: async () => {
      const { ask } = await openOperator();
      expect((await ask('block-host', { host: 'old.example' })).status).toBe(200);
      return ask('publish-links-to', { host: 'old.example', after: '' });
    },
    outcome: [403, null],
  },
  {
    what: 'a domain that is removed',
    status: 204,
    change: async (caller, _link, host) => {
      const domain = (await rowsOf('domains')).find((row) => row['host'] === host);
      return openIsolate()(`/v1/domains/${String(domain!['id'])}?force=true`, json(caller, 'DELETE'));
    },
    outcome: [404, null],
    isOnDomain: true,
  },
  {
    what: 'a workspace that is deleted',
    status: 303,
    change: async (caller) => {
      const { browse } = await openBrowser(caller);
      return browse(`/platform/c/${caller.clientId}/settings/delete`, form({ name: caller.clientId }));
    },
    outcome: [410, null],
  },
];

const runCron = () => worker.scheduled(createScheduledController({ cron: FREQUENT_CRON }), env);

describe.each([
  { fault: REFUSED, methods: ['put'] as const },
  { fault: REFUSED, methods: BOTH },
  { fault: HANGS, methods: BOTH },
])('a KV that $fault.name ($methods)', ({ fault, methods }) => {
  it.each(CHANGES)('a fault of KV lets visitors see $what in every new isolate, and afterwards', async (each) => {
    const caller = await seedCaller();
    const host = each.isOnDomain ? await seedDomain(caller) : null;
    const link = await seedHot(caller, host);
    breakKv(fault, methods);
    expect((await each.change(caller, link, host ?? '')).status).toBe(each.status);
    later(BOUND_MS);
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    for (let i = 0; i < 3; i++) {
      expect(await follow(link.url)).toEqual(each.outcome);
      expect(await follow(link.url, isolate)).toEqual(each.outcome);
    }
    endFaults();
    holdQueue();
    await runCron();
    later(BOUND_MS);
    await runCron();
    expect(await rowsOf('unwritten_entries')).toEqual([]);
    expect(await follow(link.url)).toEqual(each.outcome);
  });
});

describe('a change that KV has not taken', () => {
  it('a change that KV has not taken is written by the cron, first to KV and then into the row, which stays until KV has it everywhere', async () => {
    const caller = await seedCaller();
    const link = await seedHot(caller);
    const other = await seedHot(caller);
    breakKv(REFUSED, BOTH);
    await openIsolate()(`/v1/links/${link.id}`, json(caller, 'PATCH', { url: NEW }));
    const problems = logged();
    await runCron();
    expect(problems()).toContainEqual(expect.objectContaining({ event: 'unwritten_entries_left', entries: 1 }));
    expect(await rowsOf('unwritten_entries')).toEqual([
      expect.objectContaining({ key: `/${link.id}`, written_at: null }),
    ]);
    endFaults();
    holdQueue();
    await runCron();
    expect(await env.LINKS.get(`/${link.id}`)).toContain(NEW);
    expect(await rowsOf('unwritten_entries')).toEqual([
      expect.objectContaining({ key: `/${link.id}`, written_at: expect.any(Number) }),
    ]);
    later(BOUND_MS);
    // Others are answered from KV.
    const trips = await countTrips();
    expect(await follow(other.url)).toEqual([302, OLD]);
    expect(trips()).toMatchObject({ kvReads: 1 });
    await runCron();
    expect(await rowsOf('unwritten_entries')).toEqual([]);
  });

  it('a change that KV has not taken stays noted when another one follows while the cron writes', async () => {
    const caller = await seedCaller();
    const link = await seedHot(caller);
    breakKv(REFUSED, BOTH);
    await openIsolate()(`/v1/links/${link.id}`, json(caller, 'PATCH', { url: NEW }));
    endFaults();
    holdQueue();
    vi.spyOn(env.LINKS, 'put').mockImplementationOnce(async () => {
      await env.DB.prepare('UPDATE unwritten_entries SET since_at = since_at + 1').run();
    });
    await runCron();
    expect(await rowsOf('unwritten_entries')).toEqual([expect.objectContaining({ written_at: null })]);
  });

  it('a change that KV has not taken makes an edit of many links wait for a KV that hangs only a few times', async () => {
    const caller = await seedCaller();
    const ids = [];
    for (let i = 0; i < 40; i++) ids.push((await seedLink(caller, { url: OLD })).id);
    await env.DB.prepare(`INSERT INTO blocked_hosts (host, blocked_at) VALUES ('old.example', 1)`).run();
    const { ask } = await openOperator();
    breakKv(HANGS, BOTH);
    const put = vi.spyOn(env.LINKS, 'put').mockImplementation(hang);
    const response = await ask('publish-links-to', { host: 'old.example', after: '' });
    expect(response.status).toBe(200);
    expect(put.mock.calls.length).toBeLessThan(20);
    const keys = new Set((await rowsOf('unwritten_entries')).map(({ key }) => key));
    expect(ids.filter((id) => !keys.has(`/${id}`))).toEqual([]);
  });

  it('a change that KV has not taken is logged if the database cannot record it either', async () => {
    const caller = await seedCaller();
    const { ask } = await openOperator();
    await seedHot(caller);
    await ask('block-host', { host: 'old.example' });
    breakKv(REFUSED, BOTH);
    // The command itself is a row of the operator's log.
    vi.spyOn(D1_SESSION, 'batch').mockImplementation(async function (this: D1DatabaseSession, statements) {
      const isRecord = (each: D1PreparedStatement) =>
        String(Reflect.get(each, 'statement')).includes('unwritten_entries');
      return statements.some(isRecord) ? D1_REFUSALS[0]!.call() : D1_BATCH.call(this, statements);
    });
    const problems = logged();
    expect((await ask('publish-links-to', { host: 'old.example', after: '' })).status).toBe(200);
    expect(problems()).toContainEqual(
      expect.objectContaining({ event: 'unwritten_entries_not_recorded', entries: expect.any(Number) }),
    );
  });
});

describe.each(D1_FAULTS)('a D1 that $name', (fault) => {
  it('a fault of D1 lets a new isolate redirect by an old entry of KV, and ask D1 for the list no more than once', async () => {
    const link = await seedHot(await seedCaller());
    later(BOUND_MS);
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    breakD1(fault);
    holdQueue();
    const problems = logged();
    for (let i = 0; i < 3; i++) expect(await follow(link.url, isolate)).toEqual([302, OLD]);
    expect(problems().filter(({ event }) => event === 'unwritten_entries_not_read')).toHaveLength(1);
  });
});
