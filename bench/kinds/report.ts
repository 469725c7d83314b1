import { goalText, metText } from '../goal.ts';
import { table } from '../table.ts';
import { KINDS, KIND_NAMES, type Kind } from './streams.ts';
import type { KindFigures } from './measure.ts';

export function describeKinds(figures: KindFigures): string {
  const [{ values }] = Object.values(figures) as [KindFigures[keyof KindFigures]];
  return [
    `redirects of a kind for the CPU of one of a plain hot link, ${values.length} alternating pairs each`,
    table([
      ['kind', 'median', '95% interval', 'goal', 'met', 'what'],
      ...KIND_NAMES.map((name) => {
        const { median, low, high } = figures[name];
        const { what, ...goal }: Kind = KINDS[name];
        const interval = `${low.toFixed(2)} to ${high.toFixed(2)}`;
        return [name, median.toFixed(2), interval, goalText(goal), metText(goal, median), what];
      }),
    ]),
  ].join('\n\n');
}
