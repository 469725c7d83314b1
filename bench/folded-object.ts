import { ClientStatistics } from '../src/statistics/object.ts';
import { retain } from '../src/statistics/retention.ts';
import { writeState } from '../src/statistics/schema.ts';
import { DAY_MS } from '../src/time/day.ts';

const DETAIL_DAYS = 90;
// A block of days has 32.
const RETAINED_AFTER = [1, 3, 9, DETAIL_DAYS + 33];

/** The object as it is, which can be folded at any time. */
export class FoldedStatistics extends ClientStatistics {
  protected override readonly keptMs = 0;

  /**
   * Does the retention of the days on which something of today's clicks is removed or shortened: visitors are counted, their
   * marks removed, then the hours of facts, then the facts.
   */
  async retainAll(): Promise<void> {
    const { storage } = this.ctx;
    const today = Math.floor(Date.now() / DAY_MS);
    writeState(storage.sql, 'retained_day', today);
    for (const days of RETAINED_AFTER) {
      const retention = { today: today + days, detailDays: DETAIL_DAYS };
      while (!(await retain(storage, retention, () => scheduler.wait(0))));
    }
    writeState(storage.sql, 'retained_day', today);
  }

  /** Folds all that is stored, as the alarm does. */
  async foldAll(): Promise<void> {
    do await this.alarm();
    while (this.ctx.storage.sql.exec('SELECT 1 FROM deliveries LIMIT 1').toArray().length > 0);
  }
}
