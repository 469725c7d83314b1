import { ClientStatistics } from '../src/statistics/object.ts';

/** The object as it is, which can be folded at any time. */
export class FoldedStatistics extends ClientStatistics {
  protected override readonly keptMs = 0;

  /** Folds all that is stored, as the alarm does. */
  async foldAll(): Promise<void> {
    do await this.alarm();
    while (this.ctx.storage.sql.exec('SELECT 1 FROM deliveries LIMIT 1').toArray().length > 0);
  }
}
