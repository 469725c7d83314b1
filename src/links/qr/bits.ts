import { spansAt, type Outlines } from './letters.ts';
import { extentAt, type Box } from './shapes.ts';

/** Where what is drawn is in a picture, in pixels: the sides of the picture and of a module, and what is left around it. */
interface Place {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly offset: number;
}

/**
 * One bit for each pixel, in lines of whole bytes; set for the background. A pixel is dark if its middle is in an odd
 * number of the boxes and of the letters.
 *
 * @param outlines those of the letters
 */
export function drawBits(
  boxes: readonly Box[],
  outlines: Outlines,
  { width, height, scale, offset }: Place,
): Uint8Array {
  const bytesPerLine = Math.ceil(width / 8);
  const data = new Uint8Array(bytesPerLine * height).fill(0xff);
  // The first pixel whose middle is not before a place.
  const pixelAt = (place: number) => Math.ceil(place * scale - 0.5);
  for (const box of boxes) {
    const end = pixelAt(box.y + box.height);
    for (let y = pixelAt(box.y); y < end; y++) {
      const extent = extentAt(box, (y + 0.5) / scale);
      if (extent) invert(data, (offset + y) * bytesPerLine, offset + pixelAt(extent[0]), offset + pixelAt(extent[1]));
    }
  }
  const rows = outlines.flat().map(([, y]) => pixelAt(y));
  const last = rows.reduce((most, row) => Math.max(most, row), 0);
  for (let y = rows.reduce((least, row) => Math.min(least, row), last); y < last; y++) {
    for (const [from, to] of spansAt(outlines, (y + 0.5) / scale)) {
      invert(data, (offset + y) * bytesPerLine, offset + pixelAt(from), offset + pixelAt(to));
    }
  }
  return data;
}

/** Inverts the bits from one to before another one of the line that begins at a byte. */
function invert(data: Uint8Array, line: number, from: number, to: number): void {
  for (let x = from; x < to;) {
    const isWhole = (x & 7) === 0 && x + 8 <= to;
    data[line + (x >> 3)]! ^= isWhole ? 0xff : 0x80 >> (x & 7);
    x += isWhole ? 8 : 1;
  }
}

/** The bits as colours of as many bytes a pixel as these have. */
export function colourBits(
  bits: Uint8Array,
  { width, height }: Pick<Place, 'width' | 'height'>,
  dark: readonly number[],
  light: readonly number[],
): Uint8Array {
  const bytesPerLine = Math.ceil(width / 8);
  const data = new Uint8Array(width * height * dark.length);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += dark.length) {
      const isLight = (bits[y * bytesPerLine + (x >> 3)]! >> (7 - (x & 7))) & 1;
      data.set(isLight ? light : dark, to);
    }
  }
  return data;
}
