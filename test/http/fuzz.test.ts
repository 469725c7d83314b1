import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { STATUS_BY_CODE } from '../../src/errors.ts';
import { codeOf } from '../support/documented.ts';
import { openDomainIsolate } from '../support/domains.ts';
import { bytesOf } from '../support/event-streams.ts';
import { seedCaller } from '../support/forms.ts';
import type { Fuzzed } from '../support/fuzz-bent.ts';
import { anyRequest, fill } from '../support/fuzz.ts';
import { ownOf, type Own } from '../support/own-values.ts';
import { pageHeadersAt, pageHeadersOf } from '../support/platform.ts';

// In `npm test` always the same requests, so that no change fails by chance; in the long form (`FUZZ_REQUESTS`)
// as many as are asked for, new ones each time.
const IS_LONG = env.FUZZ_REQUESTS !== '';
// A run with half of the slow files sends half of them.
const USUAL = 2000 / inject('share').files.of;
const REQUESTS = IS_LONG ? Number(env.FUZZ_REQUESTS) : USUAL;
const SEED = IS_LONG ? Number(env.FUZZ_SEED) : 20_261_121;
const REQUESTS_OF_A_CALLER = 25;
const TIMEOUT_MS = 1000;

beforeEach(() => {
  for (const level of ['log', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it(
  `the service responds to any of ${REQUESTS} requests as it is documented, returns no secret, and fails at none`,
  { timeout: 3_600_000 },
  async () => {
    // Nothing answers there: no request of a test leaves this machine.
    const isolate = openDomainIsolate({ DOMAIN_PROBE_URL: 'http://127.0.0.1:9', CREATE_LIMITING: 'off' });
    let [sent, own]: [number, Own?] = [0];
    const givenAway = new Set<string>();
    const statuses = new Map<number, number>();
    const property = fc.asyncProperty(anyRequest, async (request) => {
      // A request may well have ended its caller.
      if (own === undefined || sent++ % REQUESTS_OF_A_CALLER === 0) {
        own = await ownOf(await seedCaller());
        givenAway.clear();
      }
      for (const word of giveAway(request)) givenAway.add(word);
      const { method, path, headers, body } = fill(request, own);
      const send = () =>
        isolate(path.startsWith('//') ? `/.${path}` : path, { method, headers, body: body as BodyInit });
      const began = performance.now();
      const response = await send();
      const text = new TextDecoder().decode(await bytesOf(response));
      // On a machine that others use anything may be late once.
      if (IS_LONG && performance.now() - began > TIMEOUT_MS) {
        const again = performance.now();
        await bytesOf(await send());
        expect(performance.now() - again).toBeLessThan(TIMEOUT_MS);
      }
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      expect(response.status).toBeLessThan(500);
      expectNoSecret(own, givenAway, request, response, text);
      if (isPage(response)) expectSafePage(path, response, text);
      if (response.status >= 400 && method !== 'HEAD') expectFailureShape(response, text);
    });
    await fc.assert(property, { numRuns: REQUESTS, seed: SEED, endOnFailure: !IS_LONG });
    // Were all of them refused, nothing much would have been tried.
    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining([200, 201, 204, 302, 303, 400, 401, 403, 404, 405, 409]),
    );
  },
);

const isPage = ({ headers }: Response) => headers.get('Content-Type')?.startsWith('text/html') ?? false;

const SECRETS = ['key', 'access', 'api', 'session'] as const;
const isCredential = (name: string) => /^(Authorization|X-API-Key|Cookie)$/.test(name);

/** The secrets that a request contains elsewhere than in its credential: a name may be any text, and is returned. */
function giveAway({ path, headers, body }: Fuzzed): readonly string[] {
  const open = Object.entries(headers).flatMap(([name, value]) => (isCredential(name) ? [] : [value]));
  const text = [path, ...open, typeof body === 'string' ? body : ''].join(' ');
  return SECRETS.filter((word) => text.includes(`{${word}}`) || text.includes(`%7B${word}%7D`));
}

/** A secret that was sent as a credential, and as nothing else, is in no answer. */
function expectNoSecret(own: Own, givenAway: ReadonlySet<string>, request: Fuzzed, response: Response, text: string) {
  const output = JSON.stringify([...response.headers]) + text;
  const shown = Object.entries(request.headers).flatMap(([name, value]) => (isCredential(name) ? [value] : []));
  const odd = shown.filter((value) => value.length > 20 && !value.includes('{'));
  const kept = SECRETS.filter((word) => !givenAway.has(word)).map((word) => own[word] ?? '');
  expect([...odd, ...kept].filter((secret) => output.includes(secret))).toEqual([]);
}

/**
 * Nothing that was typed becomes a tag or an attribute of a page, and every page of the platform forbids scripts of others.
 */
function expectSafePage(path: string, response: Response, text: string): void {
  expect(text).not.toMatch(/<script>alert|<img src=x|' onmouseover/);
  expect(response.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  if (!/^\/platform(\/|\?|$)/.test(path)) return;
  // A public page has a Referrer-Policy of its own.
  // The pages that lead to a provider have a policy of their own.
  const ofProvider = /^\/platform\/(sso\b|sign-in\/provider)/.test(path)
    ? { 'content-security-policy': expect.stringMatching(/^default-src 'none'; .*script-src '(none|self)'/) as string }
    : {};
  const { 'referrer-policy': policy, ...others } = { ...pageHeadersAt(path), ...ofProvider };
  expect(pageHeadersOf(response)).toMatchObject(others);
  expect(response.headers.get('Referrer-Policy')).toMatch(path.startsWith('/platform/shared/') ? /./ : policy);
}

/** Failures that are no answers of a documented operation have the usual shape, or are pages. */
function expectFailureShape(response: Response, text: string): void {
  if (isPage(response)) return;
  expect(response.headers.get('Content-Type')).toBe('application/json');
  const body: unknown = JSON.parse(text);
  if (response.status === 401 && !Object.hasOwn(Object(body), 'error')) return;
  const statuses: Readonly<Record<string, number>> = STATUS_BY_CODE;
  const isInfo = codeOf(text) === 'not_found' && response.status === 400;
  expect(isInfo ? 400 : statuses[codeOf(text)]).toBe(response.status);
}
