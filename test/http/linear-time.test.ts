import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDomainIsolate } from '../support/domains.ts';
import { bytesOf } from '../support/event-streams.ts';
import { seedCaller } from '../support/forms.ts';
import type { Fuzzed } from '../support/fuzz-bent.ts';
import { fill } from '../support/fuzz.ts';
import { ownOf, type Own } from '../support/own-values.ts';
import { newAddress } from '../support/address.ts';
import type { Call } from '../support/service.ts';
import { shareOf } from '../support/share.ts';
import { COSTLY, STRETCHED, type Stretched } from '../support/stretched.ts';

const LENGTH = 8000;
// Bodies beyond 64 KiB are read in another way, with some more round trips.
const MAX_BYTES = 60_000;
const MAX_RATIO = 3;
const REQUESTS_OF_A_CALLER = 10;
// The clock of a Worker has whole milliseconds.
const CLOCK_MS = 1;
const MEASURED_MS = 15;
const MAX_SENT = 15;
const TRIES = 4;
const AGAIN = 20;

beforeEach(() => {
  for (const level of ['log', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it(
  'no text, in any field of the endpoints of the share, costs more than in proportion to its length',
  { timeout: 1_800_000 },
  async () => {
    // Nothing listens there: no request of a test leaves this machine.
    const isolate = openDomainIsolate({ DOMAIN_PROBE_URL: 'http://127.0.0.1:9', CREATE_LIMITING: 'off' });
    const suspects: { readonly name: string; readonly one: Fuzzed; readonly two: Fuzzed }[] = [];
    let own: Own | undefined;
    for (const [index, stretched] of shareOf(STRETCHED).entries()) {
      // The request may have signed its caller out.
      if (index % REQUESTS_OF_A_CALLER === 0) own = await ownOf(await seedCaller());
      const caller = own ?? {};
      const plainMs = await millisecondsOf(isolate, caller, stretched.requestOf('a'.repeat(2 * LENGTH)));
      for (const [kind, textOf] of Object.entries(COSTLY)) {
        const length = lengthOf(stretched, textOf);
        const one = stretched.requestOf(textOf(length));
        const two = stretched.requestOf(textOf(2 * length));
        // A text that takes hardly longer than a plain one of that length, once at least, needs no exact measurement.
        const isPlain = async () => (await millisecondsOf(isolate, caller, two)) <= MAX_RATIO * plainMs + CLOCK_MS;
        if ((await isPlain()) || (await isPlain())) continue;
        const ratio = await growthOf((request) => millisecondsOf(isolate, caller, request), one, two);
        if (ratio > MAX_RATIO) suspects.push({ name: `${stretched.name}: ${kind}`, one, two });
      }
    }
    // Other work of the machine may have had its share for as long as one of them was measured, but not of all attempts.
    const slow: string[] = [];
    for (const { name, one, two } of suspects) {
      const caller = await ownOf(await seedCaller());
      const ratio = await growthOf((request) => millisecondsOf(isolate, caller, request), one, two, AGAIN);
      if (ratio > MAX_RATIO) slow.push(`${name} takes ${ratio.toFixed(1)} times as long`);
    }
    expect(slow.join('\n')).toBe('');
  },
);

/** The length of the shorter of two texts, chosen so that the longer one fits below 64 KiB in any encoding. */
function lengthOf({ requestOf }: Stretched, textOf: (length: number) => string): number {
  const bytes = Buffer.byteLength(requestOf(textOf(2 * LENGTH)).body ?? '');
  return Math.floor(LENGTH * Math.min(1, MAX_BYTES / bytes));
}

/** Measures the time of one response. The caller has a new address, so that no limit applies. */
async function millisecondsOf(isolate: Call, own: Own, request: Fuzzed): Promise<number> {
  const { method, path, headers, body } = fill(request, own);
  const init = { method, headers: { 'CF-Connecting-IP': newAddress(), ...headers }, body: body as BodyInit };
  const began = await now();
  const response = await isolate(path, init);
  await bytesOf(response);
  const ended = await now();
  expect(response.status).toBeLessThan(500);
  return ended - began;
}

/** The clock of a Worker stands still until it waits for something. */
async function now(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  return performance.now();
}

/**
 * How many times as long the second request takes as the first: the least of several attempts, each of as many requests
 * in turn as the clock needs to distinguish them.
 */
async function growthOf(
  measure: (request: Fuzzed) => Promise<number>,
  one: Fuzzed,
  two: Fuzzed,
  most = TRIES,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < most && least > MAX_RATIO; tries++) {
    let [first, second, sent] = [0, 0, 0];
    while ((first < MEASURED_MS && sent < MAX_SENT) || sent < 4) {
      first += await measure(one);
      second += await measure(two);
      sent += 1;
    }
    least = Math.min(least, second / Math.max(first, CLOCK_MS));
  }
  return least;
}
