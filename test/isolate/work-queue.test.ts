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

  it('work that keeps the isolate busy is accepted again once the places of callers that closed the connection have expired', async () => {
    const turns = new WorkQueue(3);
    const waits = vi.spyOn(scheduler, 'wait').mockImplementation(never);
    for (const n of [1, 2, 3]) void turns.take(() => n);
    waits.mockRestore();
    await expect(turns.take(() => 4)).rejects.toMatchObject({ code: 'busy' });
    await expect.poll(() => turns.take(() => 5).catch(() => 'refused')).toBe(5);
  });
});
