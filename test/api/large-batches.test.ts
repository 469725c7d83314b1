import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signOperatorToken } from '../../src/tokens/operator.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { HOST, openOperator } from '../support/operator.ts';
import { call } from '../support/service.ts';
import { shareOf } from '../support/share.ts';

/** Batches as large as the bound of the body allows, whose texts grow when they are stored. */

afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare('DELETE FROM restores').run();
});

const MAX_BODY_BYTES = 1024 * 1024;
/** The largest bound text and the largest row that D1 accepts. */
const MAX_BOUND_BYTES = 2_000_000;

type Fields = Readonly<Record<string, unknown>>;
type Links = readonly Fields[];

const hundred = (fields: Fields): Links => Array.from({ length: 100 }, () => fields);

/** A hundred links of random texts, which hardly get shorter when they are compressed. */
function randomLinks(): Links {
  let seed = 7;
  const below = (bound: number) => (seed = (seed * 48271) % 2147483647) % bound;
  const text = (length: number, first: number, count: number) =>
    Array.from({ length }, () => String.fromCodePoint(first + below(count))).join('');
  return Array.from({ length: 100 }, () => ({
    url: `https://example.com/${text(900, 0x4e00, 20_000)}`,
    metadata: [text(4090, 0x5d, 0x22)],
    title: text(200, 0x30, 0x2a),
    comments: text(840, 0x20000, 40_000),
  }));
}

const BOTS = [{ type: 'visitor', in: ['bot'] }];

const SHAPES: readonly (readonly [name: string, links: Links])[] = [
  [
    'quotes, each of which is escaped twice',
    hundred({
      url: 'https://example.com/',
      title: '"'.repeat(200),
      comments: '"'.repeat(2000),
      metadata: ['"'.repeat(2046)],
    }),
  ],
  [
    'destinations that are percent-encoded',
    hundred({
      url: `https://example.com/${'ö'.repeat(1362)}`,
      title: 'x',
      comments: '\n'.repeat(1700),
      metadata: ['"'.repeat(2046)],
    }),
  ],
  [
    'hosts that are encoded as punycode',
    hundred({
      url: `https://${'ö.'.repeat(1000)}example/`,
      comments: '\n'.repeat(1500),
      metadata: ['"'.repeat(2046)],
    }),
  ],
  [
    'rules and a URL after the end that are percent-encoded',
    hundred({
      url: 'https://example.com/',
      rules: Array.from({ length: 3 }, () => ({ if: BOTS, url: `https://example.com/${'ö'.repeat(880)}` })),
      expired_url: `https://example.com/${'ö'.repeat(1360)}`,
    }),
  ],
  [
    'rules on hosts that are encoded as punycode',
    hundred({
      url: `https://${'ö.'.repeat(1000)}example/`,
      rules: [1, 2].map((n) => ({ if: BOTS, url: `https://${'ö.'.repeat(900 + n)}example/` })),
    }),
  ],
  ['random texts', randomLinks()],
];

function post(caller: Caller, links: Links, headers: Record<string, string> = {}): Promise<Response> {
  return call('/v1/links/batch', {
    method: 'POST',
    headers: { 'X-API-Key': caller.apiKey, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ links }),
  });
}

const KEYED = { 'Idempotency-Key': 'k' };

/** Expects that all links are created, and returns the body of the answer. */
async function created(response: Response): Promise<string> {
  const text = await response.text();
  const { results } = JSON.parse(text) as { results: readonly { status: number }[] };
  expect([response.status, new Set(results.map(({ status }) => status))]).toEqual([200, new Set([201])]);
  return text;
}

/** The bytes of the longest text that is bound to a statement from now on. */
function watchBound(): () => number {
  const statement = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as D1PreparedStatement;
  const bind = vi.spyOn(statement, 'bind');
  return () => Math.max(...bind.mock.calls.flat().map((value) => Buffer.byteLength(String(value))));
}

const keptOf = ({ clientId }: Caller) =>
  env.DB.prepare('SELECT answer FROM idempotency_keys WHERE client_id = ?').bind(clientId).first<string>('answer');

/** Restores the kept answers of a client from a backup, after they were lost. */
async function restoreKept({ clientId }: Caller): Promise<void> {
  const { ask, key, show } = await openOperator();
  const { schema, tables } = await (
    await ask('read-tables')
  ).json<{ schema: string; tables: { name: string; columns: { name: string }[] }[] }>();
  const page = { schema, table: 'idempotency_keys', limit: 100, after: [clientId, ''], owners: null };
  const { rows } = await (await ask('read-rows', page)).json<{ rows: (readonly string[])[] }>();
  const kept = rows.filter(([client]) => client === clientId);
  expect(kept).toHaveLength(1);
  await env.DB.prepare('DELETE FROM idempotency_keys').run();
  const sha256 = 'a'.repeat(64);
  await ask('begin-restore', { sha256, force: true });
  await env.DB.prepare('UPDATE restores SET is_emptied = 1').run();
  const columns = tables.find(({ name }) => name === 'idempotency_keys')?.columns.map(({ name }) => name);
  const head = { sha256, table: 'idempotency_keys', columns, from: 0, to: 1 };
  const body = [head, ...kept, ''].map((line) => (line === '' ? '' : JSON.stringify(line))).join('\n');
  const response = await show(await signOperatorToken(key, HOST), { command: 'restore-rows', body });
  expect([response.status, await response.json()]).toEqual([200, { next_row: 1 }]);
  await env.DB.prepare('DELETE FROM restores').run();
}

describe.each(shareOf(SHAPES))('a hundred links with %s', (_, links) => {
  it('a hundred links are created, and bind nothing that is larger than a row of D1 may be', async () => {
    expect(Buffer.byteLength(JSON.stringify({ links }))).toBeLessThanOrEqual(MAX_BODY_BYTES);
    const caller = await seedCaller();
    const largest = watchBound();
    await created(await post(caller, links));
    await created(await post(caller, links, KEYED));
    expect(largest()).toBeLessThan(MAX_BOUND_BYTES);
  });

  it('a hundred links get the first response again under an Idempotency-Key, and from a backup, too', async () => {
    const caller = await seedCaller();
    const first = await created(await post(caller, links, KEYED));
    expect(await (await post(caller, links, KEYED)).text()).toBe(first);
    const kept = await keptOf(caller);
    expect(Buffer.byteLength(kept ?? '')).toBeLessThan(1_500_000);
    await restoreKept(caller);
    expect(await keptOf(caller)).toBe(kept);
    expect(await (await post(caller, links, KEYED)).text()).toBe(first);
  });
});

describe('a kept response', () => {
  it('a kept response that is small is kept as JSON', async () => {
    const caller = await seedCaller();
    const first = await created(await post(caller, [{ url: 'https://example.com/' }], KEYED));
    expect(JSON.parse((await keptOf(caller)) ?? '')).toEqual({
      client: caller.clientId,
      answer: [{ ...JSON.parse(first).results[0], link: expect.objectContaining({ url: 'https://example.com/' }) }],
      refusals: [],
    });
  });

  it('a kept response that is large and was kept by an earlier version is returned again', async () => {
    const caller = await seedCaller();
    const links = hundred({ url: 'https://example.com/', comments: 'x'.repeat(2000), metadata: 7 });
    const first = await created(await post(caller, links, KEYED));
    const kept = JSON.stringify({ client: caller.clientId, answer: JSON.parse(first).results, refusals: [] });
    await env.DB.prepare('UPDATE idempotency_keys SET answer = ? WHERE client_id = ?')
      .bind(kept, caller.clientId)
      .run();
    expect(await (await post(caller, links, KEYED)).text()).toBe(first);
  });
});

it('random links nearly fill the body', () => {
  expect(Buffer.byteLength(JSON.stringify({ links: randomLinks() }))).toBeGreaterThan(0.97 * MAX_BODY_BYTES);
});
