import { describe, expect, it } from 'vitest';
import { parse } from './support/settings.ts';

describe('WEBHOOK_SCHEDULE', () => {
  it('WEBHOOK_SCHEDULE takes the waits between attempts of a delivery', () => {
    expect(parse({ WEBHOOK_SCHEDULE: ' 0,5,604800 ' }).webhookSchedule).toEqual([0, 5, 604_800]);
    expect(parse({ WEBHOOK_SCHEDULE: '' }).webhookSchedule).toBeNull();
  });

  it.each(['5 s', '0, 5', '-1', '1.5', '0,', '604801', Array(21).fill('1').join(','), '1'.repeat(201)])(
    'WEBHOOK_SCHEDULE refuses %j as waits between attempts',
    (WEBHOOK_SCHEDULE) => {
      expect(() => parse({ WEBHOOK_SCHEDULE })).toThrow(/^WEBHOOK_SCHEDULE must be 1 to 20 whole numbers of seconds/);
    },
  );
});
