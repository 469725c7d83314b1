import { goalText, isMet, type Goal } from '../goal.ts';
import type { Summary } from '../statistics.ts';
import { table } from '../table.ts';
import type { Density } from './density.ts';
import type { ConsumerFigures } from './measure.ts';

const RATIO_GOAL: Goal = { least: 5 };

/** The clicks that consumers count in a second of CPU. */
export function describeConsumers({ former, present, ratio }: ConsumerFigures): string {
  return table([
    ['clicks of 1,000 clients, a second of CPU of workerd', 'median', 'spread', 'goal', 'met'],
    [...row('consumer of release 1.2.0, with D1', former, 0), '', ''],
    [...row('present consumer, with objects and their folds', present, 0), '', ''],
    [
      ...row('present over former, in each round', ratio, 2),
      goalText(RATIO_GOAL),
      isMet(RATIO_GOAL, ratio.median) ? 'yes' : 'no',
    ],
  ]);
}

function row(what: string, { median, min, max }: Summary, digits: number): readonly string[] {
  return [what, median.toFixed(digits), `${min.toFixed(digits)} to ${max.toFixed(digits)}`];
}

/** The cost of batches if several consumers divide the messages. */
export function describeDensity(densities: readonly Density[]): string {
  return [
    table([
      ['consumers', 'messages/batch', 'clicks/batch', 'clicks/append', 'rows written a click', '$ a million'],
      ...densities.map(({ consumers, messagesPerBatch, clicksPerBatch, clicksPerAppend, rowsPerClick, cost }) => [
        String(consumers),
        String(messagesPerBatch),
        String(clicksPerBatch),
        clicksPerAppend.toFixed(1),
        rowsPerClick.toFixed(2),
        cost.toFixed(2),
      ]),
    ]),
    'consumers divide 100 messages of 5 s, 10,000 clicks a second of 1,000 clients; without what folds write',
  ].join('\n');
}
