import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seedCaller, type Caller } from '../support/forms.ts';
import { rowsOf } from '../support/seed.ts';
import { Tallies } from '../../src/tallies.ts';
import { openIsolate, type Call } from '../support/service.ts';

const rows = async () => [
  await rowsOf('links'),
  await rowsOf('addresses'),
  await rowsOf('api_keys'),
  await rowsOf('encode_days'),
];

// Each isolate counts too, so each test has its own. An answer is given once everything is counted.
let call: Call;
beforeEach(() => void (call = openIsolate()));
afterEach(() => void vi.restoreAllMocks());

const URL_OF_A_LINK = 'https://example.com/';
const LINK = ({ clientId }: Caller) => ({ url: URL_OF_A_LINK, client_id: clientId });

type Ask = (caller: Caller, headers?: Record<string, string>) => Promise<Response>;

const json =
  (path: string, bodyOf: (caller: Caller) => object): Ask =>
  (caller, headers) =>
    call(path, {
      method: 'POST',
      headers: { 'X-API-Key': caller.apiKey, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(bodyOf(caller)),
    });

async function expectTooMany(response: Response, text = 'too quickly'): Promise<void> {
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(Number(response.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  expect(await response.text()).toContain(text);
}

it('calls the limiter once for a batch, and counts its links in the isolate', async () => {
  const caller = await seedCaller();
  const limit = vi.spyOn(env.CREATE_LIMIT, 'limit');
  const take = vi.spyOn(Tallies.prototype, 'take');
  const links = Array.from({ length: 100 }, () => LINK(caller));
  expect((await json('/v1/links/batch', () => ({ links }))(caller)).status).toBe(200);
  expect(limit).toHaveBeenCalledOnce();
  expect(take.mock.calls.filter(([key]) => key.startsWith('CREATE_')).map(([, ...rest]) => rest)).toEqual([
    [100, 3000],
    [100, 6000],
  ]);
});

it('makes no link of a batch that is larger than what is left of the limit', async () => {
  const caller = await seedCaller();
  const batchOf = (count: number) =>
    json('/v1/links/batch', () => ({ links: Array.from({ length: count }, () => LINK(caller)) }))(caller);
  // The rest of the 3,000 of this minute.
  let left = 5;
  vi.spyOn(Tallies.prototype, 'take').mockImplementation((key, weight) => {
    if (!key.startsWith('CREATE_LIMIT')) return true;
    if (weight <= left) left -= weight;
    else return false;
    return true;
  });
  expect((await batchOf(4)).status).toBe(200);
  const before = await rows();
  await expectTooMany(await batchOf(2));
  expect(await rows()).toEqual(before);
  expect((await batchOf(1)).status).toBe(200);
});
