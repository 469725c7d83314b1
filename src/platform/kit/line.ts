/** The layout of a line chart, in thousandths of its width and height. */

interface Line {
  /** The values of the lines across the chart, the highest first, evenly spaced, down to 0. */
  readonly ticks: readonly number[];
  /** The path of the values, of the area below it, of the part that is not over, and of the values before. */
  readonly now: string;
  readonly area: string;
  readonly soFar: string;
  readonly before: string;
}

const SIZE = 1000;
const LINES = 4;

/**
 * Lays out a line from left to right, a point for each place. Places whose value is null are left out, and interrupt it.
 *
 * @param isRunning true if the last value is that of a time that continues
 */
export function layOutLine(
  now: readonly (number | null)[],
  before: readonly (number | null)[],
  { places, isRunning }: { readonly places: number; readonly isRunning: boolean },
): Line {
  const highest = Math.max(LINES, ...[...now, ...before].map((value) => value ?? 0));
  const step = stepOf(highest / LINES);
  const lines = Math.ceil(highest / step);
  const point = (value: number, index: number) =>
    `${placeOf(index, places)} ${Math.round(SIZE * (1 - value / (step * lines)))}`;
  const last = now.length - 1;
  const isCut = isRunning && last > 0 && now[last] !== null && now[last - 1] !== null;
  const runs = runsOf(isCut ? now.slice(0, -1) : now);
  // A line without a length is drawn as a dot.
  const pathOf = ({ from, values }: Run) =>
    `M${values.map((value, place) => point(value, from + place)).join('L')}${values.length === 1 ? 'h0' : ''}`;
  return {
    ticks: Array.from({ length: lines + 1 }, (_, line) => step * (lines - line)),
    now: runs.map(pathOf).join(''),
    area: runsOf(now)
      .map((run) => {
        const [from, to] = [placeOf(run.from, places), placeOf(run.from + run.values.length - 1, places)];
        return `${pathOf(run)}L${to} ${SIZE}L${from} ${SIZE}z`;
      })
      .join(''),
    soFar: isCut ? pathOf({ from: last - 1, values: now.slice(-2).map((value) => value ?? 0) }) : '',
    before: runsOf(before).map(pathOf).join(''),
  };
}

/** The place of a point, from the left; one alone is in the middle. */
export const placeOf = (index: number, places: number): number =>
  places < 2 ? SIZE / 2 : Math.round((SIZE * index) / (places - 1));

interface Run {
  readonly from: number;
  readonly values: readonly number[];
}

/** The values between those that are null. */
function runsOf(values: readonly (number | null)[]): Run[] {
  const runs: { from: number; values: number[] }[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const run = runs.at(-1);
    if (run && run.from + run.values.length === index) run.values.push(value);
    else runs.push({ from: index, values: [value] });
  }
  return runs;
}

/** The next number that begins with 1, 2 or 5, followed by zeros. */
function stepOf(clicks: number): number {
  const power = 10 ** Math.floor(Math.log10(clicks));
  return power * ([1, 2, 5].find((digit) => digit * power >= clicks) ?? 10);
}
