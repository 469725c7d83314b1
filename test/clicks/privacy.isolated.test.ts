import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { breakDatabase, CHROME, clicksOf, deliver, logged, refuseQueue } from '../support/clicks.ts';
import { breakObjects } from '../support/objects.ts';
import { rowsOf, seedLink, seedTenant, type LinkRecord } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { everyRowOfObject, foldClicks } from '../support/stats.ts';

afterEach(() => vi.restoreAllMocks());

const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/** A visitor who would stand out wherever anything of them was left. */
const IPV4 = { address: '203.0.113.77', userAgent: `${CHROME} Conspicuous/4.0.4 (ann at example)` };
const IPV6 = {
  address: '2001:db8:5eed:cafe::f00d',
  userAgent: 'Mozilla/5.0 (X11; ann at example) Conspicuous/6.0.6 (x)',
};
const VISITORS = [IPV4, IPV6];
const REFERRER = 'https://ann:hunter2@referrer.example/conspicuous/path?conspicuous=query#conspicuous-fragment';

// However an address may be spelt: as text, as its bytes or their number, or as its text in base64 or hex.
const SPELLINGS = ['203.0.113.77', '203.0.113', 'cb00714d', '3405803853', '5eed:cafe', '5eedcafe', 'cafe::f00d'];
const ENCODED = VISITORS.flatMap(({ address }) => ['base64', 'base64url', 'hex'].map((as) => encoded(address, as)));
const ADDRESSES = [...SPELLINGS, ...ENCODED];
const REST_OF_REFERRER = ['conspicuous/path', 'conspicuous=query', 'conspicuous-fragment', 'hunter2'];
// What no product's name is: the comment, in which a user agent reveals most.
const USER_AGENTS = ['ann at example', 'Conspicuous/', '4.0.4', '6.0.6', 'Mozilla/5.0', 'AppleWebKit'];

function encoded(text: string, spelling: string): string {
  const buffer = Buffer.from(text);
  if (spelling === 'hex') return buffer.toString('hex');
  return buffer.toString(spelling === 'base64' ? 'base64' : 'base64url').replace(/=+$/, '');
}

const found = (needles: readonly string[], text: string) =>
  needles.filter((needle) => text.toLowerCase().includes(needle.toLowerCase()));

/** Every row of every table, and of the object of the link's client before and after its clicks are folded, as text. */
async function everyRow({ client_id: clientId }: LinkRecord): Promise<string> {
  const tables = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`,
  ).all<{ name: string }>();
  const names = tables.results.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['links', 'visitor_salts']));
  const rows = JSON.stringify(await Promise.all(names.map((name) => rowsOf(name))));
  const unfolded = await everyRowOfObject(clientId);
  await foldClicks(clientId);
  return [rows, unfolded, await everyRowOfObject(clientId)].join(' ');
}

/** Every key and value of KV, as text. */
async function everyEntry(): Promise<string> {
  const { keys } = await env.LINKS.list();
  return JSON.stringify(await Promise.all(keys.map(async (key) => [key, await env.LINKS.get(key.name)])));
}

/** Everything that is said on the console from now on, as text. */
function listen(): () => string {
  const spies = METHODS.map((method) => vi.spyOn(console, method).mockImplementation(() => undefined));
  return () => JSON.stringify(spies.flatMap((spy) => spy.mock.calls.flat().map(String)));
}

/** The visitors follow the link, each twice from one isolate after another without a memory, so that KV is filled too. */
async function visit(link: LinkRecord): Promise<void> {
  const isolate = openIsolate({ MEMORY_SECONDS: '0' });
  for (const { address, userAgent } of [...VISITORS, ...VISITORS]) {
    const headers = {
      'CF-Connecting-IP': address,
      'X-Forwarded-For': address,
      'X-Real-IP': address,
      'User-Agent': userAgent,
      'Accept-Language': 'de-AT,de;q=0.9',
      Referer: REFERRER,
    };
    expect((await isolate(`/${link.id}`, { headers, cf: { country: 'AT' } })).status).toBe(302);
  }
}

async function seed() {
  const tenant = await seedTenant();
  const link = await seedLink(tenant, { campaign_name: 'spring' });
  return { link, clicks: () => clicksOf(tenant, link) };
}

describe('clicks that went through the queue', () => {
  it('clicks that went through the queue leave no address, no full user agent and no path of a referrer, wherever one looks', async () => {
    const { link, clicks } = await seed();
    const said = listen();
    const send = vi.spyOn(env.CLICKS, 'send');
    await visit(link);
    await expect.poll(clicks).toMatchObject({ total: 4, visitors_today: 2 });

    const [rows, entries] = [await everyRow(link), await everyEntry()];
    // What may be kept is found, so these are the right places to search for what may not be kept.
    expect(found([link.id, 'referrer.example', ' AT ', ' de ', 'Windows'], rows)).toHaveLength(5);
    expect(found([link.id, link.url], entries)).toHaveLength(2);
    for (const text of [rows, entries, said()])
      expect(found([...ADDRESSES, ...USER_AGENTS, ...REST_OF_REFERRER], text)).toEqual([]);

    const messages = JSON.stringify(send.mock.calls);
    expect(found([link.id, 'referrer.example', IPV4.userAgent], messages)).toHaveLength(3);
    expect(found([...ADDRESSES, ...REST_OF_REFERRER], messages)).toEqual([]);
  });
});

describe('clicks that could go nowhere', () => {
  it('clicks that could go nowhere are logged as lost without any data of the visitors', async () => {
    const { link } = await seed();
    const isolate = openIsolate();
    await isolate(`/${link.id}`, { method: 'HEAD' });
    const said = listen();
    refuseQueue();
    breakDatabase();
    breakObjects(link.client_id);
    const headers = { 'CF-Connecting-IP': IPV4.address, 'User-Agent': IPV4.userAgent, Referer: REFERRER };
    await isolate(`/${link.id}`, { headers });
    expect(found(['clicks_lost', 'visitor_salt_failed'], said())).toHaveLength(2);
    expect(found([...ADDRESSES, ...USER_AGENTS, ...REST_OF_REFERRER], said())).toEqual([]);
  });

  it('clicks that could go nowhere are counted in the object without an address where the queue refuses', async () => {
    const { link, clicks } = await seed();
    const said = listen();
    refuseQueue();
    await visit(link);
    expect(await clicks()).toMatchObject({ total: 4, visitors_today: 2 });
    for (const text of [await everyRow(link), await everyEntry(), said()])
      expect(found([...ADDRESSES, ...USER_AGENTS, ...REST_OF_REFERRER], text)).toEqual([]);
  });
});

describe('a message that cannot be read', () => {
  it('a message that cannot be read is logged without its content', async () => {
    const problems = logged();
    await deliver([{ id: 'x', agents: [IPV4.userAgent], address: IPV4.address, referrer: REFERRER }]);
    expect(problems()).toHaveLength(1);
    expect(found([...ADDRESSES, ...USER_AGENTS, ...REST_OF_REFERRER], JSON.stringify(problems()))).toEqual([]);
  });
});
