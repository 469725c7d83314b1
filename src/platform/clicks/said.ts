import type { Pin } from './pins.ts';

/**
 * The facts that a chart shows, computed from its figures. Each language has its own sentence for each kind of fact;
 * there is none where the figures are too few to say anything.
 */

/** With what a number is compared: all of the days before, those up to the same hour, or as many, without today. */
export type Span = 'whole' | 'same hour' | 'without today';

interface Compared {
  /** The number of days before. */
  readonly days: number;
  readonly span: Span;
}

export type Fact =
  | ({ readonly kind: 'more' | 'fewer'; readonly percent: number } & Compared)
  | ({ readonly kind: 'times'; readonly times: number } & Compared)
  | ({ readonly kind: 'same' | 'none before' | 'none now'; readonly before: number } & Compared)
  | {
      readonly kind: 'best';
      readonly unit: 'hour' | 'day' | 'week';
      readonly count: number;
      readonly name: string;
      /** The pin of that day, or of the day before it. */
      readonly after: { readonly pin: Pin; readonly isNextDay: boolean } | null;
    }
  | { readonly kind: 'since'; readonly percent: number; readonly name: string; readonly pin: Pin };

export interface Figures {
  readonly unit: 'hour' | 'day' | 'week';
  /** The rows that have begun, the oldest first. */
  readonly rows: readonly { readonly name: string; readonly count: number | null }[];
  /** Null if nothing is compared, or cannot be. */
  readonly compared: ({ readonly now: number; readonly before: number } & Compared) | null;
  readonly pins: readonly Pin[];
}

/** Fewer change by chance. */
const FEW = 20;
const MOST_SAID = 2;

/** The facts to say, the most important first: at most two. */
export function factsOf(figures: Figures): readonly Fact[] {
  const [change, best, since] = [changeIn(figures), bestOf(figures), sinceOf(figures)];
  const after = best?.kind === 'best' && best.after !== null;
  return [change, ...(after ? [best] : [since, best])].filter((fact) => fact !== null).slice(0, MOST_SAID);
}

/** A difference of less than 3 % is none. */
const SAME_PERCENT = 3;

function changeIn({ compared }: Figures): Fact | null {
  if (compared === null) return null;
  const { now, before, days, span } = compared;
  if (Math.max(now, before) < FEW) return null;
  if (before === 0) return { kind: 'none before', before, days, span };
  if (now === 0) return { kind: 'none now', before, days, span };
  const percent = Math.round((100 * (now - before)) / before);
  if (Math.abs(percent) < SAME_PERCENT) return { kind: 'same', before, days, span };
  if (percent < 0) return { kind: 'fewer', percent: Math.min(99, -percent), days, span };
  if (now < 2 * before) return { kind: 'more', percent: Math.min(99, percent), days, span };
  const times = now / before;
  return { kind: 'times', times: times < 10 ? Math.floor(10 * times) / 10 : Math.floor(times), days, span };
}

const LEAST_ROWS = 4;
/** A best day has at least this many times the mean. */
const OUTSTANDING = 1.5;

/** The counts of all rows; null if one is not known, or there are too few. */
function countsOf({ rows }: Figures): { readonly counts: readonly number[]; readonly total: number } | null {
  const counts = rows.flatMap(({ count }) => count ?? []);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.length < rows.length || rows.length < LEAST_ROWS || total < FEW ? null : { counts, total };
}

function bestOf(figures: Figures): Fact | null {
  const known = countsOf(figures);
  if (known === null) return null;
  const { counts, total } = known;
  const count = Math.max(...counts);
  const index = counts.indexOf(count);
  if (index !== counts.lastIndexOf(count) || count < (OUTSTANDING * total) / counts.length) return null;
  const { unit, rows, pins } = figures;
  const pin = unit === 'day' ? pins.find((each) => each.index === index || each.index === index - 1) : undefined;
  return {
    kind: 'best',
    unit,
    count,
    name: rows[index]!.name,
    after: pin ? { pin, isNextDay: pin.index === index - 1 } : null,
  };
}

/** The least share of all, and by how much it is larger than the share of the time. */
const LEAST_SHARE = 0.25;
const LARGER = 1.3;
const ROWS_BEFORE = 3;

/** The change since which the most came, if that is more than its share of the time. */
function sinceOf(figures: Figures): Fact | null {
  const known = countsOf(figures);
  if (known === null || figures.unit === 'hour') return null;
  const { counts, total } = known;
  const shares = figures.pins
    .filter(({ index }) => index >= ROWS_BEFORE && index < counts.length)
    .map((pin) => {
      const share = counts.slice(pin.index).reduce((sum, count) => sum + count, 0) / total;
      return { pin, share, growth: share / ((counts.length - pin.index) / counts.length) };
    })
    .filter(({ share, growth }) => share >= LEAST_SHARE && growth >= LARGER)
    .toSorted((a, b) => b.growth - a.growth);
  const [most] = shares;
  if (!most) return null;
  const percent = most.share === 1 ? 100 : Math.min(99, Math.round(100 * most.share));
  return { kind: 'since', percent, name: figures.rows[most.pin.index]!.name, pin: most.pin };
}
