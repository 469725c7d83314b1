import { max, nice, ticks } from 'd3-array';
import { scaleBand } from 'd3-scale';
import { stack } from 'd3-shape';

/** The layout of a chart of stacked bars. */

/** The stacked kinds, from the bottom up. */
export const KINDS = ['humans', 'previews', 'bots'] as const;
export type Kind = (typeof KINDS)[number];

export interface Bars {
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

/** Lays out a bar for each value, from left to right. */
export function layOutBars(values: readonly Readonly<Record<Kind, number>>[]): Bars {
  const highest = max(values, (value) => value.humans + value.previews + value.bots) ?? 0;
  const across = scaleBand<number>()
    .domain(values.keys())
    .range([0, WIDTH])
    .paddingInner(values.length > 31 ? 0.15 : 0.3);
  // Without d3's linear scale, whose colours and formats would make up a tenth of the Worker.
  const [, top] = nice(0, Math.max(highest, LINES), LINES);
  const up = (clicks: number) => HEIGHT * (1 - clicks / top);
  const layers = stack<Readonly<Record<Kind, number>>, Kind>().keys(KINDS)(values);
  return {
    width: WIDTH,
    height: HEIGHT,
    ticks: ticks(0, top, LINES).toReversed(),
    bars: values.map((_, index) => ({
      x: round(across(index) ?? 0),
      width: round(across.bandwidth()),
      parts: layers.flatMap((layer) => {
        const [from, to] = layer[index] ?? [0, 0];
        return to > from ? [{ kind: layer.key, y: round(up(to)), height: round(up(from) - up(to)) }] : [];
      }),
    })),
  };
}

const round = (pixels: number): number => Math.round(pixels * 100) / 100;
