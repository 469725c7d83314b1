import { runsOf, type Run } from './modules.ts';
import type { QrOptions } from './options.ts';

/** The shapes that a code is drawn with, in PNG and in SVG. */

/** A rectangle with round corners, in modules; with a radius of half its sides it is a circle. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
}

/** The radii of the ring, of what is light in it, and of its middle, in modules. */
const RADII = { square: [0, 0, 0], round: [2.5, 1.5, 1.5] } as const;

const CORNER = 7;

/** The shapes of a code without its margin. A point is dark if it is in an odd number of them. */
export function boxesOf(modules: readonly boolean[][], { dots, corners }: Pick<QrOptions, 'dots' | 'corners'>): Box[] {
  const isPlain = dots === 'square' && corners === 'square';
  const far = modules.length - CORNER;
  const isCorner = (x: number, y: number) => (x < CORNER && (y < CORNER || y >= far)) || (x >= far && y < CORNER);
  const rows = isPlain ? modules : modules.map((row, y) => row.map((dark, x) => dark && !isCorner(x, y)));
  const radiusAt = dots === 'round' ? radiiOf(modules.length) : null;
  const boxes = rows.flatMap((row, y) => [...runsOf(row)].flatMap((run) => bar(run, y, radiusAt)));
  if (isPlain) return boxes;
  const places = [
    [0, 0],
    [far, 0],
    [0, far],
  ] as const;
  return [...boxes, ...places.flatMap(([x, y]) => cornerAt(x, y, RADII[corners]))];
}

function bar({ start, length }: Run, y: number, radiusAt: ReturnType<typeof radiiOf> | null): Box[] {
  if (radiusAt === null) return [{ x: start, y, width: length, height: 1, radius: 0 }];
  const dots = Array.from({ length }, (_, at) => start + at);
  return dots.map((x) => ({ x, y, width: 1, height: 1, radius: radiusAt(x, y) }));
}

/** The radii of round dots. Scanners do not find the patterns of 5 × 5 modules, which align them, among circles. */
function radiiOf(length: number): (x: number, y: number) => number {
  const middles = middlesOf(length);
  const last = length - CORNER;
  const nearest = (at: number) => middles.find((middle) => Math.abs(middle - at) <= 2);
  return (x, y) => {
    const [column, row] = [nearest(x), nearest(y)];
    if (column === undefined || row === undefined) return 0.5;
    // The large squares are in their place.
    return (column === 6 && (row === 6 || row === last)) || (column === last && row === 6) ? 0.5 : 0;
  };
}

/** The rows and columns in which the middles of these patterns are (ISO/IEC 18004, annex E). */
function middlesOf(length: number): number[] {
  const version = (length - 17) / 4;
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((length - 13) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => length - 7 - at * step)];
}

const cornerAt = (x: number, y: number, radii: readonly number[]): Box[] =>
  radii.map((radius, at) => ({ x: x + at, y: y + at, width: CORNER - 2 * at, height: CORNER - 2 * at, radius }));

/** From where to where a box is on the line at a height; null if it is not. */
export function extentAt(box: Box, y: number): readonly [from: number, to: number] | null {
  const { radius } = box;
  const depth = Math.min(y - box.y, box.y + box.height - y);
  if (depth < 0) return null;
  const inset = depth < radius ? radius - Math.sqrt(radius ** 2 - (radius - depth) ** 2) : 0;
  return [box.x + inset, box.x + box.width - inset];
}

/** A box further to the right and further down. */
export const moveBox = (box: Box, by: number): Box => ({ ...box, x: box.x + by, y: box.y + by });

/** The outline of a box as a path of SVG. */
export function outlineOf({ x, y, width, height, radius }: Box): string {
  const start = `M${x + radius} ${y}`;
  if (radius === 0) return `${start}h${width}v${height}h-${width}z`;
  const half = `a${radius} ${radius} 0 1 1 0`;
  if (width === 2 * radius) return `${start}${half} ${height}${half}-${height}z`;
  const arc = `a${radius} ${radius} 0 0 1 `;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  return (
    `${start}h${across}${arc}${radius} ${radius}v${down}${arc}-${radius} ${radius}` +
    `h-${across}${arc}-${radius}-${radius}v-${down}${arc}${radius}-${radius}z`
  );
}
