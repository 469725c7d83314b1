import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AppError } from '../../src/errors.ts';
import type { Visit } from '../../src/link-limit/object.ts';
import { openLinkLimits } from '../../src/link-limit/limits.ts';
import { limitOf, openLimit } from './support/limits.ts';

/** Calls of the objects by the Worker. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const TIMEOUT = 3000;
const limits = openLinkLimits(env.LIMITS, TIMEOUT);

type Method = 'take' | 'left' | 'set' | 'remove';
type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** Replaces a method of the objects. */
function replace(method: Method, around: (call: Call) => Call): void {
  const getByName = env.LIMITS.getByName.bind(env.LIMITS);
  vi.spyOn(env.LIMITS, 'getByName').mockImplementation((name) => {
    const stub = getByName(name);
    const call: Call = (...args) => (stub[method] as unknown as Call)(...args);
    return { [method]: around(call) } as never;
  });
}

const retryable = () => Object.assign(new Error('Network connection lost.'), { retryable: true });
const overloaded = () =>
  Object.assign(new Error('Durable Object is overloaded.'), { retryable: true, overloaded: true });

const OUTAGE = {
  code: 'store_unavailable',
  status: 503,
  message: 'The limit of this link is temporarily unavailable. Try again in a few seconds.',
  retryAfterSeconds: 5,
};
const errorOf = ({ code, status, message, retryAfterSeconds }: AppError) => ({
  code,
  status,
  message,
  retryAfterSeconds,
});
const failureOf = (work: Promise<unknown>) => work.then(() => null, errorOf);

/** Reads the lines of the log. */
function readLog(): () => object[] {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  return () => error.mock.calls.map(([line]) => JSON.parse(String(line)));
}

const CALLS: readonly [Method, (linkId: string) => Promise<unknown>][] = [
  ['take', (linkId) => limits.take(linkId, limitOf(5))],
  ['left', (linkId) => limits.left(linkId, limitOf(5))],
  ['set', (linkId) => limits.set(linkId, limitOf(5))],
  ['remove', (linkId) => limits.remove(linkId)],
];

describe('the limits of links', () => {
  it('the limits of links are each counted by themselves', async () => {
    const [one, other] = [openLimit().linkId, openLimit().linkId];
    expect(await limits.take(one, limitOf(2))).toEqual({ isTaken: true, left: 1 });
    expect(await limits.take(other, limitOf(1))).toEqual({ isTaken: true, left: 0 });
    await limits.set(one, limitOf(9, 1001));
    expect([await limits.left(one, limitOf(2)), await limits.left(other, limitOf(1))]).toEqual([8, 0]);
    await limits.remove(one);
    expect(await limits.left(one, limitOf(2))).toBe(2);
  });

  it('the limits of links take a place once if a lost response is asked for again', async () => {
    const { linkId } = openLimit();
    const ids: string[] = [];
    replace('take', (take) => async (visit) => {
      ids.push((visit as Visit).id);
      const answer = await take(visit);
      if (ids.length === 1) throw retryable();
      return answer;
    });
    expect(await limits.take(linkId, limitOf(5))).toEqual({ isTaken: true, left: 4 });
    expect(ids).toEqual([ids[0], ids[0]]);
    vi.restoreAllMocks();
    expect(await limits.left(linkId, limitOf(5))).toBe(4);
  });

  it('the limits of links count each visit, also those that come at the same time', async () => {
    const { linkId } = openLimit();
    const answers = await Promise.all(Array.from({ length: 50 }, () => limits.take(linkId, limitOf(20))));
    expect(answers.filter(({ isTaken }) => isTaken)).toHaveLength(20);
  });
});

describe.each(CALLS)('an object that fails when it is called by %s', (method, call) => {
  it.each([
    ['once more if that can help', retryable, 2],
    ['only once if it is overloaded', overloaded, 1],
    ['only once if it does not say that this can help', () => new Error('database or disk is full: SQLITE_FULL'), 1],
  ])('an object that fails is called %s, and then the response is 503', async (_what, fault, times) => {
    const log = readLog();
    let calls = 0;
    replace(method, () => () => {
      calls += 1;
      return Promise.reject(fault());
    });
    const { linkId } = openLimit();
    expect(await failureOf(call(linkId))).toEqual(OUTAGE);
    expect(calls).toBe(times);
    const { name, message } = fault();
    const logged = { level: 'error', event: 'place_may_be_lost', detail: `${name}: ${message}`, link_id: linkId };
    expect(log()).toEqual(method === 'take' ? [{ ...logged, of_this_isolate: expect.any(Number) }] : []);
  });

  it('an object that fails is not waited for longer than the visitor waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    readLog();
    replace(method, () => () => {
      queueMicrotask(() => vi.advanceTimersByTime(TIMEOUT));
      return new Promise(() => undefined);
    });
    expect(await failureOf(call(openLimit().linkId))).toEqual(OUTAGE);
  });
});
