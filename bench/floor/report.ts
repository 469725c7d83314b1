import { goalText, metText } from '../goal.ts';
import { table } from '../table.ts';
import { FLOOR_GOALS, type FloorFigures } from './measure.ts';

export function describeFloor(figures: FloorFigures): string {
  const rows = (['cpu', 'perSecond'] as const).map((name) => {
    const { median, low, high } = figures[name];
    const what = { cpu: 'CPU a request', perSecond: 'requests/s' }[name];
    const goal = FLOOR_GOALS[name];
    return [what, median.toFixed(3), `${low.toFixed(3)} to ${high.toFixed(3)}`, goalText(goal), metText(goal, median)];
  });
  return table([
    [`hot over floor, ${figures.cpu.values.length} alternating pairs`, 'median', '95% interval', 'goal', 'met'],
    ...rows,
  ]);
}
