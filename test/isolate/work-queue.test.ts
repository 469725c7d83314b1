import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkQueue } from '../../src/isolate/work-queue.ts';

afterEach(() => void vi.restoreAllMocks());

/** A request whose caller has closed the connection: its timers no longer fire. */
const never = () => new Promise<void>(() => undefined);

/** Records each turn of the event loop beside the work, by a timer of its own. */
async function noteTurns(notes: string[], until: Promise<unknown>): Promise<void> {
  const end = new AbortController();
  void until.finally(() => end.abort());
  while (!end.signal.aborted) {
    await scheduler.wait(5);
    if (notes.at(-1) !== 'redirect') notes.push('redirect');
  }
  await until;
}

interface Timer {
  readonly dueAt: number;
  readonly end: () => void;
}

/** A queue by a clock and timers of the test. */
function heldTimers() {
  const clock = { now: 1_000_000 };
  const begin = clock.now;
  const timers: Timer[] = [];
  vi.spyOn(Date, 'now').mockImplementation(() => clock.now);
  vi.spyOn(scheduler, 'wait').mockImplementation(
    (ms) => new Promise((end) => void timers.push({ dueAt: clock.now + ms, end })),
  );
  const turn = () => new Promise((resolve) => void setTimeout(resolve, 0));
  const fire = async (timer: Timer) => {
    timers.splice(timers.indexOf(timer), 1);
    timer.end();
    await turn();
  };
  /** Ends all timers, each in its time. */
  const settle = async () => {
    for (;;) {
      const [first] = timers.toSorted((one, other) => one.dueAt - other.dueAt);
      if (first === undefined) return;
      clock.now = Math.max(clock.now, first.dueAt);
      await fire(first);
    }
  };
  return { queue: new WorkQueue(10), clock, begin, timers, fire, settle };
}

describe('work that keeps the isolate busy', () => {
  it('work that keeps the isolate busy is done in the order of the calls, with a turn of the event loop between two', async () => {
    const turns = new WorkQueue(10);
    const notes: string[] = [];
    const all = Promise.all([1, 2, 3, 4, 5].map((n) => turns.take(() => notes.push(`work ${n}`))));
    await noteTurns(notes, all);
    expect(notes.filter((note) => note !== 'redirect')).toEqual(['work 1', 'work 2', 'work 3', 'work 4', 'work 5']);
    for (const [index, note] of notes.slice(1).entries()) expect([note, notes[index]]).toContain('redirect');
  });

  it('work that keeps the isolate busy pauses also before a piece that comes just after another was done', async () => {
    const turns = new WorkQueue(10);
    const notes: string[] = [];
    const one = turns.take(() => notes.push('work 1'));
    const other = one.then(() => turns.take(() => notes.push('work 2')));
    await noteTurns(notes, other);
    expect(notes.filter((note, index) => note !== 'redirect' || index > 0)).toContain('redirect');
    expect(notes.slice(notes.indexOf('work 1'), notes.indexOf('work 2'))).toContain('redirect');
  });

  it('work that keeps the isolate busy is refused with Retry-After if too many are waiting, and accepted again later', async () => {
    const turns = new WorkQueue(3);
    const waiting = [1, 2, 3].map((n) => turns.take(() => n));
    await expect(turns.take(() => 4)).rejects.toMatchObject({ code: 'busy', status: 503, retryAfterSeconds: 10 });
    expect(await Promise.all(waiting)).toEqual([1, 2, 3]);
    expect(await turns.take(() => 5)).toBe(5);
  });

  it('work that keeps the isolate busy is left out where its outcome has become known meanwhile', async () => {
    const turns = new WorkQueue(10);
    let known: string | undefined;
    const work = vi.fn(() => (known = 'done'));
    const outcomes = Array.from({ length: 5 }, () => turns.take(work, () => known));
    expect([await Promise.all(outcomes), work.mock.calls.length]).toEqual([
      ['done', 'done', 'done', 'done', 'done'],
      1,
    ]);
  });

  it('work that throws does not stop the work after it', async () => {
    const turns = new WorkQueue(10);
    const [one, other] = await Promise.allSettled([
      turns.take(() => {
        throw new Error('wrong');
      }),
      turns.take(() => 'right'),
    ]);
    expect([one.status, other]).toEqual(['rejected', { status: 'fulfilled', value: 'right' }]);
  });

  it.each([
    ['the first', 0],
    ['one in the middle', 2],
  ])(
    'work that keeps the isolate busy continues if %s of the waiting callers closes the connection',
    async (_who, gone) => {
      const turns = new WorkQueue(10);
      const real = scheduler.wait.bind(scheduler);
      let asked = 0;
      vi.spyOn(scheduler, 'wait').mockImplementation((ms) => (asked++ === gone ? never() : real(ms)));
      const done: number[] = [];
      const all = [0, 1, 2, 3, 4].map((n) => turns.take(() => done.push(n)));
      await Promise.all(all.filter((_, n) => n !== gone));
      expect(done).toEqual([0, 1, 2, 3, 4].filter((n) => n !== gone));
    },
  );

  it('work that comes while another piece is done waits as long as that piece took', async () => {
    const { queue, clock, begin, settle } = heldTimers();
    let startedAt = 0;
    let other: Promise<unknown> | undefined;
    void queue.take(() => {
      clock.now += 300;
      other = queue.take(() => (startedAt = clock.now));
    });
    await settle();
    await other;
    // A piece begins after the least pause of 25 ms.
    expect(startedAt - begin).toBe(25 + 300 + 300);
  });

  it('work whose caller was late with its timer keeps its place before a later caller', async () => {
    const { queue, clock, timers, fire, settle } = heldTimers();
    const done: string[] = [];
    void queue.take(() => done.push('first'));
    void queue.take(() => done.push('second'));
    clock.now += 2100;
    void queue.take(() => done.push('third'));
    // Later callers come before the first in the order of these timers.
    const [, late, last] = timers;
    await fire(late!);
    await fire(last!);
    await settle();
    expect(done).toEqual(['first', 'second', 'third']);
  });

  it('work pauses also after a piece whose caller was late with its timer', async () => {
    const { queue, clock, timers, fire, settle } = heldTimers();
    const at: number[] = [];
    const work = () => at.push(clock.now);
    void queue.take(work);
    clock.now += 2100;
    void queue.take(work);
    const [late, next] = timers;
    await fire(late!);
    await fire(next!);
    await settle();
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(25);
  });

  it('work that keeps the isolate busy is accepted again once the places of callers that closed the connection have expired', async () => {
    const turns = new WorkQueue(3);
    const waits = vi.spyOn(scheduler, 'wait').mockImplementation(never);
    for (const n of [1, 2, 3]) void turns.take(() => n);
    waits.mockRestore();
    await expect(turns.take(() => 4)).rejects.toMatchObject({ code: 'busy' });
    await expect.poll(() => turns.take(() => 5).catch(() => 'refused')).toBe(5);
  });
});
