import { goalText, isMet, type Goal } from '../goal.ts';
import { table } from '../table.ts';
import type { StatisticsFigures } from './measure.ts';

/** The cost and the capacity of the statistics of one client, beside the goals. */
export function describeStatistics({ packed, quiet, storage, question, ...figures }: StatisticsFigures): string {
  const rows: readonly (readonly [what: string, value: number, digits: number, goal: Goal])[] = [
    ['rows written a click, 50 hot links, 1,000 clicks/s', packed.rowsPerClick, 3, { most: 0.1 }],
    ['US dollars a million of these clicks, the object alone', packed.cost, 3, {}],
    ['rows written a click, one each ten seconds on 100 links', quiet.rowsPerClick, 2, {}],
    ['US dollars a million of these clicks, the object alone', quiet.cost, 2, {}],
    ['clicks a second of CPU, 10,000 links, with folds', figures.clicksPerCpuSecond, 0, { least: 10_000 }],
    ['MB a million clicks, 1,000 links, 30 days', storage.fresh, 1, { most: 30 }],
    ['the same when only sums are kept', storage.old, 1, { most: 8 }],
    ['ms for an overview with two filters, 10^8 clicks in 90 days', question.overview, 0, { most: 1000 }],
    ['ms that an append waits meanwhile, at most', question.longestAppend, 0, { most: 100 }],
    ['ms for the same question about a link', question.link, 0, {}],
  ];
  return table([
    ['statistics of one client', 'value', 'goal', 'met'],
    ...rows.map(([what, value, digits, goal]) => [what, value.toFixed(digits), goalText(goal), metText(goal, value)]),
  ]);
}

function metText(goal: Goal, value: number): string {
  if (goal.least === undefined && goal.most === undefined) return '';
  return isMet(goal, value) ? 'yes' : 'no';
}
