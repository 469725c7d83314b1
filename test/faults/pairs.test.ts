import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FREQUENT_CRON } from '../../src/app/crons.ts';
import worker from '../../src/index.ts';
import { deliver, holdQueue, logged } from '../support/clicks.ts';
import {
  breakKv,
  breakObjects,
  breakQueue,
  D1_REFUSALS,
  endFaults,
  OBJECT_FAULTS,
  QUEUE_FAULTS,
  refuseD1Writes,
  type Fault,
} from '../support/faults.ts';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { openBrowser } from '../support/platform.ts';
import { rowsOf, seedLink, type LinkRecord } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

/**
 * Stores that refuse writes or do not work, each alone and in pairs: known links redirect, pages are shown, a session stays,
 * what got a 200 is what visitors see, clicks are kept or their number is logged, and all is as before afterwards.
 */

beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM unwritten_entries'), env.DB.prepare('DELETE FROM kept_packs')]);
});
afterEach(endFaults);

const REFUSED: Fault = {
  name: 'takes no writes',
  call: async () => {
    throw new Error('KV put() limit exceeded for the day.');
  },
};

const FAULTS = {
  'KV takes no writes': () => breakKv(REFUSED, ['put', 'delete']),
  'D1 takes no writes': () => refuseD1Writes(D1_REFUSALS[0]!),
  'objects fail': () => breakObjects(OBJECT_FAULTS[0]!),
  'the queue fails': () => breakQueue(QUEUE_FAULTS[0]!),
} as const;

type Name = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as Name[];
const SETS: readonly (readonly [what: string, names: readonly Name[]])[] = NAMES.flatMap((name, index) => [
  [name, [name]] as const,
  ...NAMES.slice(index + 1).map((other) => [`${name}, and ${other}`, [name, other]] as const),
]);

const OLD = 'https://old.example/';
const NEW = 'https://new.example/';
const BOUND_MS = 180_000;
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const runCron = () => worker.scheduled(createScheduledController({ cron: FREQUENT_CRON }), env);

const locationOf = async (id: string, isolate = openIsolate()) =>
  (await isolate(`/${id}`, { method: 'HEAD' })).headers.get('Location');

/** A link that is in KV. */
async function seedHot(caller: Caller): Promise<string> {
  const { id } = await seedLink(caller, { url: OLD });
  const isolate = openIsolate({ MEMORY_SECONDS: '0' });
  for (let i = 0; i < 2; i++) await locationOf(id, isolate);
  expect(await env.LINKS.get(`/${id}`)).toContain(OLD);
  return id;
}

async function totalOf(caller: Caller, { id, client_id, sec_id }: LinkRecord): Promise<number> {
  const response = await openIsolate()(`/info/${id}/${client_id}/${sec_id}`, { headers: bearerOf(caller) });
  const { result } = await response.json<{ result: string }>();
  return (JSON.parse(result) as { clicks: { total: number } }).clicks.total;
}

const edit = async (caller: Caller, id: string): Promise<number> => {
  const headers = { ...bearerOf(caller), 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url: NEW });
  return (await openIsolate()(`/v1/links/${id}`, { method: 'PATCH', headers, body })).status;
};

describe.each(SETS)('two faults, while %s', (_what, names) => {
  it('two faults leave links that redirect, pages that are shown, edits that are seen and clicks that are counted', async () => {
    const caller = await seedCaller();
    const clicked = await seedLink(caller, { url: OLD });
    const [hot, edited] = [await seedHot(caller), await seedHot(caller)];
    const { browse } = await openBrowser(caller);
    const queued = holdQueue();
    for (const name of names) FAULTS[name]();
    const problems = logged();

    expect([await locationOf(hot), await locationOf(clicked.id)]).toEqual([OLD, OLD]);
    const home = `/platform/c/${caller.clientId}`;
    for (const path of [home, `${home}/links`, `${home}/links/${hot}`, '/platform/account'])
      expect([path, (await browse(path)).status]).toEqual([path, 200]);

    // As isolates do under load, to which the answer has been given long since.
    vi.useRealTimers();
    expect((await openIsolate()(`/${clicked.id}`)).headers.get('Location')).toBe(OLD);

    const status = await edit(caller, edited);
    expect(status).toBe(names.includes('D1 takes no writes') ? 503 : 200);
    later(BOUND_MS);
    const shown = status === 200 ? NEW : OLD;
    for (let i = 0; i < 2; i++) expect(await locationOf(edited)).toBe(shown);
    expect(problems().filter(({ event }) => event === 'clicks_lost')).toEqual([]);

    endFaults();
    const queuedLater = holdQueue();
    later(BOUND_MS);
    await runCron();
    later(BOUND_MS);
    await runCron();
    for (const pack of [...queued, ...queuedLater]) await deliver([pack]);
    expect([await rowsOf('unwritten_entries'), await rowsOf('kept_packs')]).toEqual([[], []]);
    expect(await totalOf(caller, clicked)).toBe(1);
    expect([await locationOf(hot), await locationOf(edited)]).toEqual([OLD, shown]);
    expect(await edit(caller, edited)).toBe(200);
    expect(await locationOf(edited)).toBe(NEW);
    expect((await browse(home)).status).toBe(200);
  });
});

it('clicks that the queue, the objects and D1 refuse are logged by their number', async () => {
  const link = await seedLink(await seedCaller());
  for (const name of NAMES.slice(1)) FAULTS[name]();
  vi.useRealTimers();
  const problems = logged();
  expect((await openIsolate()(`/${link.id}`)).status).toBe(302);
  expect(problems().filter(({ event }) => event === 'clicks_lost')).toMatchObject([{ clicks: 1 }]);
});
