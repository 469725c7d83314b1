import { goalText, metText, type Goal } from '../goal.ts';
import { table } from '../table.ts';
import { BOUND_NAMES, BOUNDS } from './links.ts';
import type { BoundFigures } from './measure.ts';

const GOAL: Goal = { most: 2 };

export function describeBounds(figures: BoundFigures): string {
  return [
    'CPU of a visit at the bound of what an owner may write, above that of a plain hot redirect, in milliseconds',
    table([
      ['bound', 'median', 'goal', 'met', 'what'],
      ...BOUND_NAMES.map((name) => {
        const { median } = figures[name];
        return [name, median.toFixed(2), goalText(GOAL), metText(GOAL, median), BOUNDS[name].what];
      }),
    ]),
  ].join('\n\n');
}
