import type { Delivery } from '../src/statistics/append/delivery.ts';
import { ClientStatistics } from '../src/statistics/object.ts';

/** The number of times that objects were ended. */
export const ends = { afterAppends: 0, inFolds: 0 };

// A fold comes soon after appends, and an object is ended in both, in that order.
const APPENDS_A_FOLD = 5;
const APPEND_TO_END_AFTER = 2;
// For each object: messages that fail come again together, each time until an object is ended, and after six times they
// are dead letters.
const MAX_ENDS = 1;

/** The history of each object, by its id. */
const lives = new Map<string, { appends: number; endsAfterAppends: number; endsInFolds: number }>();

/** The object as it is, which folds early, and is ended after it has stored a delivery and in the middle of a fold. */
export class EndedStatistics extends ClientStatistics {
  protected override readonly keptMs = 0;

  override async append(delivery: Delivery) {
    const response = await super.append(delivery);
    const life = this.#life;
    const turn = life.appends++ % APPENDS_A_FOLD;
    if (turn === APPEND_TO_END_AFTER && life.endsAfterAppends < MAX_ENDS) {
      life.endsAfterAppends += 1;
      ends.afterAppends += 1;
      await this.#end();
    }
    if (turn === APPENDS_A_FOLD - 1) await this.ctx.storage.setAlarm(Date.now());
    return response;
  }

  override async alarm(): Promise<void> {
    const work = { isDone: false };
    const fold = super.alarm().finally(() => (work.isDone = true));
    await Promise.all([fold, this.#endInFold(work)]);
  }

  async #endInFold(work: { readonly isDone: boolean }): Promise<void> {
    const { sql } = this.ctx.storage;
    const life = this.#life;
    while (!work.isDone && life.endsInFolds < MAX_ENDS) {
      // The state is there from the first slice of a fold to its end.
      if (sql.exec("SELECT 1 FROM state WHERE name = 'fold_subject'").toArray().length > 0) {
        life.endsInFolds += 1;
        ends.inFolds += 1;
        await this.#end();
      }
      await scheduler.wait(0);
    }
  }

  get #life() {
    const id = this.ctx.id.toString();
    const life = lives.get(id) ?? { appends: 0, endsAfterAppends: 0, endsInFolds: 0 };
    lives.set(id, life);
    return life;
  }

  /** Ends the object. What is stored stays; what is in memory is lost, and waiting callers get an error. */
  async #end(): Promise<void> {
    await this.ctx.storage.sync();
    this.ctx.abort('ended by the bench');
  }
}
