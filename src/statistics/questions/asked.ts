import type { ValueClicks } from '../days/sums.ts';
import type { Pause } from '../days/fold-deliveries.ts';
import { WatchedStatistics } from '../live/watched.ts';
import type { SubjectKind } from '../subjects.ts';
import { FreshClicks } from './fresh-clicks.ts';
import { readByLink, type LinkQuestion } from './link-question.ts';
import { readClicks, readClicksAndVisitors, type OpenFresh } from './questions.ts';
import type { ClicksAndVisitors, DayClicks, Question } from './questions.ts';
import { rankLinks, type RankCursor, type RankedBy, type RankedPage } from './ranking.ts';
import { readRecent, type RecentTotals, type RecentQuestion } from './recent.ts';
import { Slices } from './slices.ts';
import { dayNumberOf } from './subject-clicks.ts';
import { sumTotals, countPeople, type SubjectTotals } from './totals.ts';
import { Turns, type Caller } from './turns.ts';
import { countVisitorDays, type VisitorCounts, type VisitorQuestion } from './visitor-days.ts';

/** A question of this version, which says whether it asks for visitors. */
export type QuestionWithVisitors = Question & { readonly visitors: NonNullable<Question['visitors']> | null };

/** The part of an object that answers questions. Those that read days take turns, as in `Turns`. */
export class AskedStatistics extends WatchedStatistics {
  protected erasures = 0;
  readonly #turns = new Turns();
  /** Of the questions that are being answered; null if there are none. */
  #fresh: FreshClicks | null = null;

  /**
   * The clicks of days, broken down and filtered, with the visitors of `visitors`. Without it, as a Worker of the version
   * before asks, it gives the days alone.
   */
  async ask(question: QuestionWithVisitors, caller?: Caller): Promise<ClicksAndVisitors>;
  async ask(question: Question, caller?: Caller): Promise<DayClicks[]>;
  async ask(question: Question, caller?: Caller): Promise<ClicksAndVisitors | DayClicks[]> {
    const read = question.visitors === undefined ? readClicks : readClicksAndVisitors;
    return this.#takeTurn<ClicksAndVisitors | DayClicks[]>(caller, (pause, fresh) =>
      read(this.ctx.storage.sql, question, pause, fresh),
    );
  }

  /** The clicks of links by id, or of campaigns by name; those without clicks are left out. */
  async totals(ids: readonly string[], kind?: SubjectKind): Promise<ReadonlyMap<string, SubjectTotals>> {
    return sumTotals(this.ctx.storage.sql, ids, kind);
  }

  /** The clicks of some links, and those of people by day; links without clicks are left out. */
  async recent(question: RecentQuestion, caller?: Caller): Promise<ReadonlyMap<string, RecentTotals>> {
    return this.#takeTurn(caller, (pause, fresh) =>
      readRecent(this.ctx.storage.sql, question, pause, undefined, fresh()),
    );
  }

  /** The number of people who followed a link on a day, as in `countPeople`: for a Worker of the version before. */
  async visitors(linkId: string, day: number): Promise<number> {
    return countPeople(this.ctx.storage.sql, linkId, day);
  }

  /** The visitors of days, as in `countVisitorDays`: for a Worker of the version before, which asks for them alone. */
  async visitorDays(question: VisitorQuestion, caller?: Caller): Promise<VisitorCounts | null> {
    const today = dayNumberOf(Date.now());
    return this.#takeTurn(caller, (pause, fresh) =>
      countVisitorDays(this.ctx.storage.sql, question, today, new Slices(pause), fresh()),
    );
  }

  /** The links with clicks, the most clicked or the last clicked first. */
  async rank(by: RankedBy, after: RankCursor | null, limit: number): Promise<RankedPage> {
    return rankLinks(this.ctx.storage.sql, by, after, limit);
  }

  /** The clicks of each link in a range of days, filtered; links without such clicks are left out. */
  async askByLink(question: LinkQuestion, caller?: Caller): Promise<ValueClicks[]> {
    return this.#takeTurn(caller, (pause, fresh) =>
      readByLink(this.ctx.storage.sql, question, pause, undefined, fresh()),
    );
  }

  /** Throws if the statistics were erased since: what was read before is no result then. */
  protected checkErasure(erasures: number): void {
    if (erasures !== this.erasures) throw new Error('the statistics were erased');
  }

  async #takeTurn<Result>(
    caller: Caller | undefined,
    work: (pause: Pause, fresh: OpenFresh) => Promise<Result>,
  ): Promise<Result> {
    const { erasures } = this;
    try {
      return await this.#turns.take(caller, (pause) => {
        const checked = async () => {
          await pause();
          this.checkErasure(erasures);
        };
        return work(checked, () => (this.#fresh ??= new FreshClicks(this.ctx.storage.sql)));
      });
    } finally {
      if (this.#turns.isIdle) this.#fresh = null;
    }
  }
}
