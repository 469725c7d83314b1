import { AppError } from '../../errors.ts';

/** The letters of the texts beside QR codes: outlines of the font of the pages, which `scripts/font.mjs` writes. */

/** The width of each letter, and its outline as a path of SVG with relative commands, in parts of an em. */
export type Letters = Readonly<Record<string, readonly [width: number, outline: string]>>;

export const PARTS_OF_AN_EM = 500;

/** The height of a capital, in ems. */
export const CAPITAL = 0.66;

/** Reads the letters. Throws `store_unavailable`. */
export async function readLetters(assets: Fetcher, url: URL): Promise<Letters> {
  const file = await assets.fetch(new URL('/assets/letters.json', url));
  if (!file.ok) throw new AppError('store_unavailable', 'The text cannot be drawn now. Try again in a few seconds.');
  return file.json();
}

/** True if each letter of a text has an outline. */
export const hasLetters = (letters: Letters, text: string): boolean =>
  Array.from(text).every((letter) => Object.hasOwn(letters, letter));

/**
 * The width of a text, in ems. A letter without an outline, which the font of the reader draws, is taken for a whole em:
 * no letter of a usual font is wider.
 */
export function widthOf(letters: Letters, text: string): number {
  const widths = Array.from(text, (letter) => (Object.hasOwn(letters, letter) ? letters[letter]![0] : PARTS_OF_AN_EM));
  return widths.reduce((sum, width) => sum + width, 0) / PARTS_OF_AN_EM;
}

/** Where a text begins, on its baseline, and the size of its font, in any unit. */
export interface Writing {
  readonly x: number;
  readonly y: number;
  readonly em: number;
}

/** Where each letter of a text begins, in parts of an em, and its outline. */
function placed(letters: Letters, text: string): readonly (readonly [start: number, outline: string])[] {
  let end = 0;
  return Array.from(text, (letter) => {
    const [width, outline] = letters[letter]!;
    end += width;
    return [end - width, outline];
  });
}

/** The outlines of a text as a path of SVG that begins at 0, and what it is scaled by. */
export function letterPaths(letters: Letters, text: string, em: number): { paths: string; scale: number } {
  const paths = placed(letters, text).map(([start, outline]) => (outline === '' ? '' : `M${start} 0${outline}`));
  return { paths: paths.join(''), scale: Number((em / PARTS_OF_AN_EM).toPrecision(5)) };
}

/** The outlines of a text as closed lines of points: a curve is eight of them, so that they are round in print. */
export function outlinesOf(letters: Letters, text: string, { x, y, em }: Writing): Outlines {
  const scale = em / PARTS_OF_AN_EM;
  return placed(letters, text).flatMap(([start, outline]) =>
    pointsOf(outline).map((line) =>
      line.map(([across, down]): Point => [x + (start + across) * scale, y + down * scale]),
    ),
  );
}

type Point = readonly [x: number, y: number];

/** Closed lines of points. */
export type Outlines = readonly (readonly Point[])[];

const CURVE_STEPS = 8;

function pointsOf(outline: string): Outlines {
  const lines: Point[][] = [];
  let [x, y] = [0, 0];
  for (const [, command, numbers = ''] of outline.matchAll(/([mlhvq])([^mlhvq]*)/g)) {
    const given = Array.from(numbers.matchAll(/-?\d+/g), ([number]) => Number(number));
    if (command === 'm') lines.push([]);
    if (command === 'q') {
      const [bendX = 0, bendY = 0, endX = 0, endY = 0] = given;
      for (let step = 1; step <= CURVE_STEPS; step++) {
        const at = step / CURVE_STEPS;
        const bend = 2 * at * (1 - at);
        lines.at(-1)!.push([x + bend * bendX + at ** 2 * endX, y + bend * bendY + at ** 2 * endY]);
      }
      [x, y] = [x + endX, y + endY];
      continue;
    }
    const [first = 0, second = 0] = given;
    if (command !== 'v') x += first;
    if (command !== 'h') y += command === 'v' ? first : second;
    lines.at(-1)!.push([x, y]);
  }
  return lines;
}

/**
 * The parts of a line of a picture that are within outlines, in order. Outlines of one letter overlap, so a point is
 * within them where they turn around it (the rule `nonzero` of SVG).
 */
export function spansAt(outlines: Outlines, y: number): [from: number, to: number][] {
  const crossings = outlines
    .flatMap((line) =>
      line.flatMap(([fromX, fromY], at): [number, number][] => {
        const [toX, toY] = line[(at + 1) % line.length]!;
        if (fromY <= y === toY <= y) return [];
        return [[fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX), toY > fromY ? 1 : -1]];
      }),
    )
    .toSorted(([a], [b]) => a - b);
  const spans: [number, number][] = [];
  let [turns, from] = [0, 0];
  for (const [x, turn] of crossings) {
    if (turns === 0) from = x;
    turns += turn;
    if (turns === 0) spans.push([from, x]);
  }
  return spans;
}
