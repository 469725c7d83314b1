import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIsolates } from '../../bench/isolates.ts';
import { measureRevocations, type Measured, type Situation } from '../../bench/measure-revocations.ts';
import { Sandbox } from '../../bench/sandbox.ts';
import { STALENESS_SECONDS } from '../../src/links/redirect/staleness.ts';

/**
 * What two isolates of one miniflare do, over the same KV and D1, by the real clock. Those that have just compared KV
 * with the database do it again after a minute: `npm run bench:revocation` waits for it, and
 * test/links/redirect/revocation.test.ts moves the clock.
 */

const MEMORY_SECONDS = 5;
// A busy machine may take its time, but less than the minute that would pass without a comparison.
const TIMEOUT_MS = (MEMORY_SECONDS + 40) * 1000;

const sandbox = new Sandbox();
let measured: readonly Measured[] = [];

beforeAll(async () => {
  const isolates = await startIsolates(sandbox, { MEMORY_SECONDS: String(MEMORY_SECONDS), CREATE_LIMITING: 'off' });
  const situations = ['changing', 'remembering', 'cached', 'uncompared'] as const;
  measured = await measureRevocations(isolates, situations, TIMEOUT_MS);
  await isolates.close();
});
afterAll(() => sandbox.close());

const of = (situation: Situation) => measured.filter((each) => each.situation === situation);

describe('a link that is disabled, deleted, retargeted or whose host is blocked', () => {
  it('a link that has changed is never served as before by the isolate that changed it', () => {
    const answers = of('changing').map(({ change, oldAnswers }) => [change, oldAnswers]);
    expect(answers).toEqual([
      ['disabled', 0],
      ['deleted', 0],
      ['retargeted', 0],
    ]);
  });

  it.each<[which: string, situation: Situation, changes: number]>([
    ['remembers it', 'remembering', 4],
    ['has it from KV', 'cached', 3],
    ['finds an old state of it in KV', 'uncompared', 4],
  ])(
    'a link that has changed is not served as before for long by another isolate that %s',
    (_which, situation, changes) => {
      expect(of(situation)).toHaveLength(changes);
      const late = of(situation).filter(({ oldForMs }) => oldForMs >= TIMEOUT_MS);
      expect(late).toEqual([]);
    },
  );

  it('a link that has changed is served as before for less time than one that is never compared with the database', () => {
    expect(TIMEOUT_MS).toBeLessThan(STALENESS_SECONDS.check * 1000);
  });
});
