import { goalText, metText } from '../goal.ts';
import type { Summary } from '../statistics.ts';
import { table } from '../table.ts';
import { SURFACE_NAMES, SURFACES } from './surfaces.ts';
import type { FirstFigures } from './measure.ts';

export function describeFirst({ beside, starts, floorMs, surfaces }: FirstFigures): string {
  return [
    `first requests, each of a new process of this version and of ${beside} in turn, medians of ${starts}; CPU of ` +
      `the main thread above the ${floorMs.median.toFixed(1)} ms of a Worker that asks D1 once`,
    table([
      ['first request', 'CPU ms', 'former', 'ratio', 'goal', 'met', 'first p50', 'former', 'second p50', 'former'],
      ...SURFACE_NAMES.map((name) => {
        const { what, ...goal } = SURFACES[name];
        const { present, former } = surfaces[name];
        const ratio = present.cpuMs.median / former.cpuMs.median;
        return [
          what,
          milliseconds(present.cpuMs),
          milliseconds(former.cpuMs),
          ratio.toFixed(2),
          goalText(goal),
          metText(goal, ratio),
          milliseconds(present.firstMs),
          milliseconds(former.firstMs),
          milliseconds(present.secondMs),
          milliseconds(former.secondMs),
        ];
      }),
    ]),
  ].join('\n\n');
}

const milliseconds = ({ median }: Summary): string => median.toFixed(1);
