import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClickBuffer } from '../../src/clicks/buffer.ts';
import type { Click } from '../../src/clicks/click.ts';
import type { ClickGroup } from '../../src/clicks/groups.ts';
import { heldClick } from '../support/clicks.ts';

afterEach(() => vi.restoreAllMocks());

const WAIT_MS = 1000;

/** A buffer whose leaders wait until they are woken, and what left it: what each message carries, in order. */
function openBuffer(waitMs = WAIT_MS) {
  const waits: { readonly milliseconds: number; readonly wake: () => void }[] = [];
  vi.spyOn(scheduler, 'wait').mockImplementation((milliseconds) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waits.push({ milliseconds, wake: resolve });
    return promise;
  });
  const buffer = new ClickBuffer(waitMs);
  const sent: (readonly ClickGroup[])[] = [];
  const deferred: Promise<unknown>[] = [];
  let links = 0;
  const send = async (groups: readonly ClickGroup[]) => void sent.push(groups);
  const add = (click: Click) => buffer.add(click, send, (work) => void deferred.push(work));
  return {
    sent,
    deferred,
    waits,
    add,
    /** Clicks at these milliseconds, no two of them alike. */
    addAt: (...times: number[]) => times.forEach((at) => add(heldClick({ at, linkId: `link-${links++}` }))),
    times: () => sent.map((groups) => groups.map(({ lastAt }) => lastAt)),
    wakeLeaders: async () => {
      for (const { wake } of waits.splice(0)) wake();
      await Promise.all(deferred);
    },
  };
}

const agentsOf = (sent: readonly (readonly ClickGroup[])[]) => sent.flat().map(({ profile }) => profile.userAgent);

describe('a click after a quiet second', () => {
  it('a click after a quiet second is sent at once', () => {
    const { addAt, times, waits } = openBuffer();
    addAt(0, 1000, 2500);
    expect(times()).toEqual([[0], [1000], [2500]]);
    expect(waits).toEqual([]);
  });

  it('a click a millisecond before the quiet second is over is not sent at once', () => {
    const { addAt, times } = openBuffer();
    addAt(0, 999);
    expect(times()).toEqual([[0]]);
  });
});

describe('a burst', () => {
  it('a burst leaves as one message, sent by the first that was buffered', async () => {
    const { addAt, times, waits, deferred, wakeLeaders } = openBuffer();
    addAt(0, 100, 200, 300, 900);
    expect(times()).toEqual([[0]]);
    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([WAIT_MS]);
    // One piece of work for the first click and one for the leader: no other request has to wait.
    expect(deferred).toHaveLength(2);
    await wakeLeaders();
    expect(times()).toEqual([[0], [100, 200, 300, 900]]);
  });

  it('a burst that continues leaves as one message for each leader', async () => {
    const { addAt, times, wakeLeaders } = openBuffer();
    addAt(0, 100, 1050);
    await wakeLeaders();
    addAt(1150, 1900);
    await wakeLeaders();
    expect(times()).toEqual([[0], [100, 1050], [1150, 1900]]);
  });

  it('a burst that fills the buffer is sent by the request that fills it, and leaves nothing for the first one', async () => {
    const { sent, add, wakeLeaders } = openBuffer();
    const userAgent = 'x'.repeat(400);
    for (let at = 1; at <= 5000 && sent.length < 2; at++) add(heldClick({ at, userAgent, linkId: `link-${at}` }));
    expect(sent).toHaveLength(2);
    const full = sent[1]?.length ?? 0;
    expect(full).toBeGreaterThan(500);
    await wakeLeaders();
    expect(sent.map((groups) => groups.length)).toEqual([1, full]);
  });

  it('a burst that overflows has a leader of its own for what came after', async () => {
    const { sent, waits, deferred, add, wakeLeaders } = openBuffer();
    const clicks = Array.from({ length: 6000 }, (_, at) =>
      heldClick({ at: at / 30, userAgent: `${at} ${'x'.repeat(390)}` }),
    );
    clicks.forEach(add);
    expect(sent.flat().length).toBeLessThan(clicks.length);
    expect(waits.length).toBeGreaterThan(1);
    // The leader whose buffer has left wakes first: what gathered since is not for it to send.
    const before = sent.length;
    waits[0]?.wake();
    await deferred[1];
    expect(sent).toHaveLength(before);
    await wakeLeaders();
    expect(agentsOf(sent)).toEqual(clicks.map(({ userAgent }) => userAgent));
  });
});

describe('a buffer that is to gather for no time', () => {
  it('a buffer that is to gather for no time sends each click by itself, at once', () => {
    const { addAt, times, waits } = openBuffer(0);
    addAt(0, 1, 1, 2);
    expect(times()).toEqual([[0], [1], [1], [2]]);
    expect(waits).toEqual([]);
  });
});

describe('a leader that died', () => {
  it('a leader that died leaves its clicks to the first that finds them overdue', () => {
    const { addAt, times } = openBuffer();
    addAt(0, 100, 800, 1600);
    expect(times()).toEqual([[0]]);
    addAt(1601);
    expect(times()).toEqual([[0], [100, 800, 1600, 1601]]);
  });

  it('a leader that died leaves them also to a click that comes after a long silence', () => {
    const { addAt, times } = openBuffer();
    addAt(0, 100, 60_000);
    expect(times()).toEqual([[0], [100, 60_000]]);
  });

  it('a leader that died sends nothing twice if it was only late', async () => {
    const { addAt, times, wakeLeaders } = openBuffer();
    addAt(0, 100, 2000);
    expect(times()).toEqual([[0], [100, 2000]]);
    await wakeLeaders();
    expect(times()).toEqual([[0], [100, 2000]]);
  });
});

describe('clicks at any times', () => {
  it('every click leaves exactly once', async () => {
    const { sent, waits, add, wakeLeaders } = openBuffer();
    // A fixed sequence of pauses and agents, with every third leader dead.
    let seed = 42;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    const clicks: Click[] = [];
    for (let i = 0, at = 0; i < 5000; i++, at += random(20) === 0 ? random(3000) : random(40)) {
      clicks.push(heldClick({ at, linkId: `link-${i}`, userAgent: 'ü'.repeat(random(500)) }));
      add(clicks[i]!);
      if (random(15) === 0 && waits.length > 0 && waits.length % 3 !== 0) waits.shift()?.wake();
      await Promise.resolve();
    }
    await wakeLeaders();
    expect(sent.flat().map(({ link, lastAt, clicks: count }) => [link.linkId, lastAt, count])).toEqual(
      clicks.map(({ linkId, at }) => [linkId, at, 1]),
    );
  });
});
