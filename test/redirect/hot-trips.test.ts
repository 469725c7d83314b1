import { afterEach, expect, it, vi } from 'vitest';
import { CHROME } from '../support/clicks.ts';
import { open } from '../support/manage.ts';
import { call, openIsolate, type Call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => vi.restoreAllMocks());

const VISITORS = 50;

/** A visitor with a country, a language, an address and a user agent of its own. */
const visitor = (n: number, headers: Readonly<Record<string, string>> = {}) => ({
  headers: {
    'User-Agent': CHROME.replace('140.0.0.0', `140.0.${n}.0`),
    'Accept-Language': `de-AT,en;q=0.${n + 10}`,
    'CF-Connecting-IP': `192.0.2.${n}`,
    ...headers,
  },
  cf: { country: 'AT' },
});

const RULES = [
  { if: [{ type: 'country', in: ['US'] }], url: 'https://example.com/us' },
  { if: [{ type: 'device', in: ['tablet'] }], url: 'https://example.com/tablets' },
  {
    if: [
      { type: 'language', in: ['de'] },
      { type: 'device', in: ['desktop'] },
      { type: 'country', in: ['AT'] },
      { type: 'hours', from: '00:00', until: '23:59', tz: 'Europe/Vienna', days: ['mon'], not: true },
    ],
    url: 'https://example.com/at',
  },
  { if: [{ type: 'date', from: '2020-01-01T00:00:00Z' }], url: 'https://example.com/last' },
];
const VARIANTS = ['a', 'b'].map((name) => ({ name, url: `https://example.com/${name}`, weight: 50 }));

/** The statuses of many visitors, of whom the first fills memory, and the trips of the others. */
async function followed(isolate: Call, path: string, headers: Readonly<Record<string, string>> = {}) {
  const first = await isolate(path, visitor(0, headers));
  const trips = await countTrips();
  const statuses = new Set([first.status]);
  for (let n = 1; n <= VISITORS; n += 1) statuses.add((await isolate(path, visitor(n, headers))).status);
  return { statuses: [...statuses], ...trips() };
}

it.each([
  ['rules', { rules: RULES }],
  ['variants', { variants: VARIANTS }],
  ['a forwarded query', { rules: RULES, variants: VARIANTS, forward_query: 'override' }],
])('redirects all visitors of a hot link with %s without a store', async (_name, fields) => {
  const { make } = await open();
  const id = await make(fields);
  expect(await followed(openIsolate(), `/${id}?a=1`)).toEqual({ statuses: [302], d1: 0, kvReads: 0, kvWrites: 0 });
});

it('redirects visitors who have entered the password of a hot link without a store', async () => {
  const { make } = await open();
  const id = await make({ password: 'correct horse', rules: RULES });
  const isolate = openIsolate();
  const entered = await isolate(`/${id}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'password=correct+horse',
  });
  const [cookie = ''] = entered.headers.get('Set-Cookie')?.split(';') ?? [];
  expect([entered.status, cookie]).toEqual([303, expect.stringContaining(id)]);
  const hot = await followed(isolate, `/${id}`, { Cookie: cookie });
  expect(hot).toEqual({ statuses: [302], d1: 0, kvReads: 0, kvWrites: 0 });
  // Without the cookie it is the form, in the Worker as it is deployed too.
  expect((await call(`/${id}`, visitor(1))).status).toBe(200);
});
