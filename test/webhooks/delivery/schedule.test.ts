import { describe, expect, it } from 'vitest';
import { nextAttemptAt, SCHEDULE_SECONDS } from '../../../src/webhooks/delivery/schedule.ts';

const least = () => 0;
const most = () => 0.999_999;

describe('the schedule', () => {
  it('the schedule of attempts has ten attempts: at once, and after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h', () => {
    const waits = SCHEDULE_SECONDS.map((_, attempts) => nextAttemptAt(SCHEDULE_SECONDS, attempts, 0, least));
    expect(waits).toEqual([
      0, 5000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
    ]);
  });

  it('the schedule of attempts waits up to a tenth longer, so that what failed together is not attempted together again', () => {
    const now = 1_000_000;
    expect(nextAttemptAt(SCHEDULE_SECONDS, 1, now, most)).toBe(now + 5500);
    expect(nextAttemptAt(SCHEDULE_SECONDS, 9, now, most)).toBeLessThanOrEqual(now + 1.1 * 86_400_000);
  });

  it('the schedule of attempts ends after the tenth attempt', () => {
    expect(nextAttemptAt(SCHEDULE_SECONDS, 10, 0)).toBeNull();
  });
});
