/** The layout of a chart of stacked bars. */

/** The stacked kinds, from the bottom up. */
const KINDS = ['humans', 'previews', 'bots'] as const;
type Kind = (typeof KINDS)[number];

interface Bars {
  readonly width: number;
  readonly height: number;
  /** The values of the lines across the chart, the highest first, evenly spaced, down to 0. */
  readonly ticks: readonly number[];
  /** In the order of the values. */
  readonly bars: readonly {
    readonly x: number;
    readonly width: number;
    readonly parts: readonly { readonly kind: Kind; readonly y: number; readonly height: number }[];
  }[];
}

const WIDTH = 900;
const HEIGHT = 220;
const LINES = 4;
// The space between two kinds, where the background is visible.
const GAP = 1;

/** Lays out a bar for each value, from left to right. Each has an equal part of the width. */
export function layOutBars(values: readonly Readonly<Record<Kind, number>>[]): Bars {
  const highest = Math.max(0, ...values.map((value) => sumOf(value, KINDS)));
  const part = WIDTH / Math.max(1, values.length);
  const width = part * (values.length > 31 ? 0.85 : 0.7);
  const step = stepOf(Math.max(highest, LINES) / LINES);
  const lines = Math.ceil(Math.max(highest, LINES) / step);
  const top = step * lines;
  const up = (clicks: number) => HEIGHT * (1 - clicks / top);
  return {
    width: WIDTH,
    height: HEIGHT,
    ticks: Array.from({ length: lines + 1 }, (_, line) => step * (lines - line)),
    bars: values.map((value, index) => ({
      x: round(part * index + (part - width) / 2),
      width: round(width),
      parts: KINDS.flatMap((kind, place) => {
        const from = sumOf(value, KINDS.slice(0, place));
        const to = from + value[kind];
        if (to === from) return [];
        const below = from > 0 ? GAP : 0;
        return [{ kind, y: round(up(to)), height: round(Math.max(1, up(from) - up(to) - below)) }];
      }),
    })),
  };
}

/** The next number that begins with 1, 2 or 5, followed by zeros. */
function stepOf(clicks: number): number {
  const power = 10 ** Math.floor(Math.log10(clicks));
  return power * ([1, 2, 5].find((digit) => digit * power >= clicks) ?? 10);
}

const sumOf = (value: Readonly<Record<Kind, number>>, kinds: readonly Kind[]): number =>
  kinds.reduce((sum, kind) => sum + value[kind], 0);

const round = (pixels: number): number => Math.round(pixels * 100) / 100;
