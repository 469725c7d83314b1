import { extentAt, type Box } from './shapes.ts';

/** Where a code is in a picture, in pixels: the side of the picture and of a module, and the margin. */
interface Place {
  readonly size: number;
  readonly scale: number;
  readonly offset: number;
}

/** One bit for each pixel, in lines of whole bytes; set for the background. A pixel is dark if its middle is. */
export function drawBits(boxes: readonly Box[], { size, scale, offset }: Place): Uint8Array {
  const bytesPerLine = Math.ceil(size / 8);
  const data = new Uint8Array(bytesPerLine * size).fill(0xff);
  // The first pixel whose middle is not before a place.
  const pixelAt = (place: number) => Math.ceil(place * scale - 0.5);
  for (const box of boxes) {
    const end = pixelAt(box.y + box.height);
    for (let y = pixelAt(box.y); y < end; y++) {
      const extent = extentAt(box, (y + 0.5) / scale);
      if (extent) invert(data, (offset + y) * bytesPerLine, offset + pixelAt(extent[0]), offset + pixelAt(extent[1]));
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
export function colourBits(bits: Uint8Array, size: number, dark: readonly number[], light: readonly number[]) {
  const bytesPerLine = Math.ceil(size / 8);
  const data = new Uint8Array(size * size * dark.length);
  for (let y = 0, to = 0; y < size; y++) {
    for (let x = 0; x < size; x++, to += dark.length) {
      const isLight = (bits[y * bytesPerLine + (x >> 3)]! >> (7 - (x & 7))) & 1;
      data.set(isLight ? light : dark, to);
    }
  }
  return data;
}
