/** A picture, four bytes a pixel: red, green, blue and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const MAX_SIDE = 1024;
// A file with many empty lines inflates a thousandfold, so the size is known before it is decoded.
const MAX_BYTES_PER_PIXEL = 8;

/** The chunks that draw a PNG. Texts, colour profiles, dates and animations are left out. */
const DRAWING = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** The bits of a value for each type of colour (PNG, 11.2.1). */
const DEPTHS: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);

interface Chunk {
  readonly name: string;
  /** With its length, name and checksum. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a PNG of at most 1024 pixels a side: the chunks that draw it, and its pixels; or says what is wrong with it.
 *
 * @param file the PNG after its signature
 */
export async function readPng(
  file: Uint8Array<ArrayBuffer>,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly pixels: Pixels } | string> {
  const chunks = chunksOf(file);
  const [first] = chunks ?? [];
  if (!chunks || first?.name !== 'IHDR' || first.data.length !== 13 || chunks.at(-1)?.name !== 'IEND') return DAMAGED;
  const header = new DataView(first.data.buffer, first.data.byteOffset, first.data.length);
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  if (width === 0 || height === 0) return DAMAGED;
  if (width > MAX_SIDE || height > MAX_SIDE) {
    return `The PNG has ${width} × ${height} pixels. Choose one of at most ${MAX_SIDE} × ${MAX_SIDE}.`;
  }
  // A decoder takes the size of the last header.
  const isOneSize = chunks.filter(({ name }) => name === 'IHDR').length === 1;
  if (!isOneSize || !DEPTHS.get(header.getUint8(9))?.includes(header.getUint8(8))) return DAMAGED;
  const drawing = chunks.filter(({ name }) => DRAWING.has(name));
  const packed = drawing.filter(({ name }) => name === 'IDAT').map(({ data }) => data);
  // A byte more for each line, and for each line of the seven passes of an interlaced picture.
  if (!(await inflatesTo(packed, width * height * MAX_BYTES_PER_PIXEL + 16 * MAX_SIDE))) return DAMAGED;
  const bytes = new Uint8Array(await new Blob(drawing.map((chunk) => chunk.bytes)).arrayBuffer());
  const { decodePng } = await import('./encoders.ts');
  try {
    const signed = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...bytes]);
    return { bytes, pixels: toPixels(decodePng(signed, { checkCrc: true })) };
  } catch {
    return DAMAGED;
  }
}

const DAMAGED = 'The PNG is damaged. Save it again.';

function chunksOf(file: Uint8Array<ArrayBuffer>): Chunk[] | null {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const chunks: Chunk[] = [];
  for (let at = 0; at + 12 <= file.length;) {
    const length = view.getUint32(at);
    if (at + 12 + length > file.length) return null;
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const end = at + 12 + length;
    chunks.push({ name, bytes: file.subarray(at, end), data: file.subarray(at + 8, at + 8 + length) });
    if (name === 'IEND') return chunks;
    at = end;
  }
  return null;
}

/** True if compressed data is valid and at most so long. */
async function inflatesTo(packed: readonly Uint8Array<ArrayBuffer>[], most: number): Promise<boolean> {
  let length = 0;
  try {
    for await (const part of new Blob([...packed]).stream().pipeThrough(new DecompressionStream('deflate'))) {
      length += part.length;
      if (length > most) return false;
    }
    return true;
  } catch {
    return false;
  }
}

type Decoded = ReturnType<typeof import('fast-png').decode>;

function toPixels({ width, height, data, depth, channels, palette, transparency }: Decoded): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  const perLine = Math.ceil((width * channels * depth) / (8 * data.BYTES_PER_ELEMENT));
  const most = 2 ** depth - 1;
  const sample = (y: number, index: number): number => {
    if (depth >= 8) return data[y * perLine + index]!;
    const bit = index * depth;
    return (data[y * perLine + (bit >> 3)]! >> (8 - depth - (bit & 7))) & most;
  };
  const toByte = (value: number) => Math.round((255 * value) / most);
  const isGrey = channels < 3;
  const hasOpacity = channels === 2 || channels === 4;
  const clear = transparency?.length === (isGrey ? 1 : 3) ? transparency : null;
  // A million pixels: nothing is created for each of them.
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, at = 0; x < width; x++, at += channels, to += 4) {
      const first = sample(y, at);
      if (palette) {
        const colour = palette[first];
        for (let index = 0; index < 4; index++) rgba[to + index] = colour?.[index] ?? (index === 3 ? 255 : 0);
        continue;
      }
      const second = isGrey ? first : sample(y, at + 1);
      const third = isGrey ? first : sample(y, at + 2);
      rgba[to] = toByte(first);
      rgba[to + 1] = toByte(second);
      rgba[to + 2] = toByte(third);
      const isThis = clear !== null && first === clear[0] && (isGrey || (second === clear[1] && third === clear[2]));
      rgba[to + 3] = hasOpacity ? toByte(sample(y, at + channels - 1)) : isThis ? 0 : 255;
    }
  }
  return { width, height, rgba };
}
