import { goalText, isMet, type Goal } from '../goal.ts';
import { CONNECTIONS } from '../streams.ts';
import { table } from '../table.ts';
import type { LimitFigures } from './measure.ts';

/** The capacity of the object of one limited link, beside the goals. */
export function describeLimits({ limited, unloadedP99Ms, rowsWritten }: LimitFigures): string {
  const rows: readonly (readonly [what: string, value: number, digits: number, goal: Goal | null])[] = [
    [`visitors a second, ${CONNECTIONS} connections`, limited.perSecond, 0, { least: 500 }],
    ['p99 of these, ms', limited.p99Ms, 0, null],
    ['rows written a visitor of these', rowsWritten.together, 3, { most: 1.05 }],
    ['p99 at 100 a second on one connection, ms', unloadedP99Ms, 1, null],
    ['rows written a visitor of these', rowsWritten.alone, 3, { most: 1.05 }],
  ];
  return table([
    ['limited', 'value', 'goal', 'met'],
    ...rows.map(([what, value, digits, goal]) => [
      what,
      value.toFixed(digits),
      goal ? goalText(goal) : '',
      goal ? (isMet(goal, value) ? 'yes' : 'no') : '',
    ]),
  ]);
}
