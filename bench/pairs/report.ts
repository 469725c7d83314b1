import { PAIR_GOAL, type PairFigures } from './measure.ts';

export function describePairs({ beside, cpu }: PairFigures): string {
  const { median, low, high, values } = cpu;
  const isMet = high <= PAIR_GOAL.most;
  return [
    `CPU of a hot redirect over that of ${beside}, ${values.length} alternating pairs: median ${median.toFixed(3)}, ` +
      `95% interval ${low.toFixed(3)} to ${high.toFixed(3)}`,
    `goal: the interval excludes more than ${PAIR_GOAL.most}: ${isMet ? 'yes' : 'no'}`,
  ].join('\n');
}
