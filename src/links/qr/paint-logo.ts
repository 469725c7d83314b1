import { invalidLogo, type Logo } from './logo.ts';

/**
 * Paints a logo upon a picture, as large as it fits in a square, in its proportions. The pixels of the picture have three
 * bytes, or four where the square is transparent. Throws `malformed_body` for a logo without pixels.
 *
 * @param square its left and its top, and its side, in pixels
 */
export function paintLogo(
  { data, size, channels }: { readonly data: Uint8Array; readonly size: number; readonly channels: 3 | 4 },
  { pixels }: Logo,
  square: { readonly at: number; readonly side: number },
): void {
  if (pixels === null) throw invalidLogo('An SVG logo has no pixels, so the code with it is an SVG only.');
  const { width, height, rgba } = pixels;
  const scale = square.side / Math.max(width, height);
  const [across, down] = [width, height].map((length) => Math.max(1, Math.round(length * scale))) as [number, number];
  const left = square.at + Math.floor((square.side - across) / 2);
  const top = square.at + Math.floor((square.side - down) / 2);
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const [red, green, blue, opacity] = averageOf(rgba, width, rangeOf(x, across, width), rangeOf(y, down, height));
      const to = channels * ((top + y) * size + left + x);
      for (const [index, value] of [red, green, blue].entries()) {
        const upon = channels === 3 ? value + data[to + index]! * (1 - opacity) : value / (opacity || 1);
        data[to + index] = Math.round(upon);
      }
      if (channels === 4) data[to + 3] = Math.round(255 * opacity);
    }
  }
}

/** The pixels of the logo that one pixel of the picture shows: at least one. */
function rangeOf(at: number, length: number, of: number): readonly [from: number, to: number] {
  const from = Math.floor((at * of) / length);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * of) / length))];
}

/** The mean of some pixels, with the colours times their opacity, which is from 0 to 1. */
function averageOf(
  rgba: Uint8Array,
  width: number,
  [left, right]: readonly [number, number],
  [top, bottom]: readonly [number, number],
): readonly [number, number, number, number] {
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = 4 * (y * width + x);
      const part = rgba[at + 3]! / 255;
      red += rgba[at]! * part;
      green += rgba[at + 1]! * part;
      blue += rgba[at + 2]! * part;
      opacity += part;
    }
  }
  const count = (right - left) * (bottom - top);
  return [red / count, green / count, blue / count, opacity / count];
}
