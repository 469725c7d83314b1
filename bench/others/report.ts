import { goalText, metText, type Goal } from '../goal.ts';
import type { Interval } from '../pairs/interval.ts';
import { table } from '../table.ts';
import { EXPORT_GOAL } from './files.ts';
import type { OtherFigures } from './measure.ts';
import { REQUEST_NAMES, REQUESTS, type Request } from './requests.ts';
import { YEAR_GOALS } from './years.ts';

export function describeOthers({ requests, files, years }: OtherFigures): string {
  const [responses, asked] = years.responses;
  return [
    table([
      [
        `other requests, ${files.exportMs.values.length} alternating pairs each`,
        'median',
        '95% interval',
        'goal',
        'met',
      ],
      ...REQUEST_NAMES.map((name) => {
        const { what, least, most }: Request = REQUESTS[name];
        const goal = { ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
        return row(what, requests[name], goal, 2);
      }),
      row('export of all links, ms of CPU a link', files.exportMs, EXPORT_GOAL, 3),
      row("a tag's year and the year before, 1,000 links, ms of CPU", years.cpuMs, YEAR_GOALS.cpuMs, 0),
      row('ms of CPU before another call is answered at most while four are asked', years.waitMs, YEAR_GOALS.waitMs, 0),
    ]),
    `four of these years at once: ${responses} of ${asked} had a response`,
  ].join('\n\n');
}

function row(what: string, { median, low, high }: Interval, goal: Goal, digits: number): string[] {
  return [
    what,
    median.toFixed(digits),
    `${low.toFixed(digits)} to ${high.toFixed(digits)}`,
    goalText(goal),
    metText(goal, median),
  ];
}
