import { median } from '../statistics.ts';

/** A median, and the interval that has the median of all possible pairs with a confidence of at least 95 %. */
export interface Interval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly values: readonly number[];
}

const CONFIDENCE = 0.95;

/**
 * The sign test's interval, which assumes nothing of how the values are spread: its ends are values, as many from the
 * least and the highest as the binomial distribution allows (H. A. David, Order Statistics, 7.1). Infinite with fewer
 * than six values, since no interval of them has that confidence.
 */
export function intervalOf(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const beyond = valuesBeyond(sorted.length);
  const [low = -Infinity, high = Infinity] = beyond === 0 ? [] : [sorted.at(beyond - 1), sorted.at(-beyond)];
  return { median: median(values), low, high, values };
}

/** The largest k for which fewer than k of `count` values are below the median with a probability of at most 2.5 %. */
function valuesBeyond(count: number): number {
  const each = 0.5 ** count;
  for (let k = 0, ways = 1, sum = 0; k <= count; k++) {
    sum += ways * each;
    if (sum > (1 - CONFIDENCE) / 2) return k;
    ways = (ways * (count - k)) / (k + 1);
  }
  return 0;
}
