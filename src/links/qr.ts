import * as z from 'zod';
import { AppError } from '../errors.ts';
import { lazy } from '../lazy.ts';

const MIN_SIZE_PIXELS = 64;
const MAX_SIZE_PIXELS = 2048;
const MAX_MARGIN_MODULES = 16;

const LEVELS = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;

/** The options of a QR code. */
export interface QrOptions {
  /** Width and height of the picture, in pixels. */
  readonly size: number;
  /** The quiet zone on each side, in modules; ISO/IEC 18004 requires 4. */
  readonly margin: number;
  /** Which part may be damaged: about 7, 15, 25 or 30 per cent. */
  readonly level: keyof typeof LEVELS;
}

function wholeNumber(least: number, most: number, usual: number, what: string) {
  return z
    .string()
    .refine((text) => /^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number)
    .default(usual)
    .meta({ description: `${what}; ${usual} if left out`, type: 'integer', minimum: least, maximum: most });
}

/** The query of a QR code, besides the client. */
export const qrFields = lazy(() => ({
  size: wholeNumber(MIN_SIZE_PIXELS, MAX_SIZE_PIXELS, 512, 'Width and height in pixels'),
  margin: wholeNumber(0, MAX_MARGIN_MODULES, 4, 'Quiet zone on each side, in modules'),
  level: z
    .enum(['L', 'M', 'Q', 'H'], { error: 'must be L, M, Q or H' })
    .default('M')
    .meta({ description: 'Error correction: how much may be damaged' }),
}));

/** Draws a text as a QR code, in SVG. */
export async function drawQrSvg(text: string, { size, margin, level }: QrOptions): Promise<string> {
  const modules = await encode(text, level);
  const width = modules.length + 2 * margin;
  const bars = modules.flatMap((row, y) =>
    [...runsOf(row)].map(({ start, length }) => `M${start + margin} ${y + margin}h${length}v1h-${length}z`),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${width} ${width}"` +
    ` shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${bars.join('')}"/></svg>\n`
  );
}

/**
 * Draws a text as a QR code, in PNG. Modules are whole pixels; the rest of the size goes to the margin. Throws
 * `invalid_size` if a module would be less than a pixel.
 */
export async function drawQrPng(text: string, { size, margin, level }: QrOptions): Promise<Uint8Array<ArrayBuffer>> {
  const modules = await encode(text, level);
  const width = modules.length + 2 * margin;
  const scale = Math.floor(size / width);
  if (scale === 0) {
    throw new AppError('invalid_size', `size must be at least ${width} for this link, with this margin and level.`);
  }
  const offset = Math.floor((size - scale * modules.length) / 2);
  const bytesPerLine = Math.ceil(size / 8);
  // One bit for each pixel, white if it is set.
  const data = new Uint8Array(bytesPerLine * size).fill(0xff);
  for (const [y, row] of modules.entries()) {
    const line = new Uint8Array(bytesPerLine).fill(0xff);
    for (const { start, length } of runsOf(row)) {
      const [from, to] = [offset + start * scale, offset + (start + length) * scale];
      for (let x = from; x < to; x++) line[x >> 3]! &= ~(0x80 >> (x & 7));
    }
    for (let i = 0; i < scale; i++) data.set(line, (offset + y * scale + i) * bytesPerLine);
  }
  const { encodePng } = await import('./qr-encoders.ts');
  return new Uint8Array(encodePng({ width: size, height: size, data, depth: 1, channels: 1 }));
}

/** The modules of a code, row by row, without margin; true is dark. */
async function encode(text: string, level: QrOptions['level']): Promise<boolean[][]> {
  const { encodeQr } = await import('./qr-encoders.ts');
  // The library draws no code without a margin.
  const bordered = encodeQr(text, 'raw', { ecc: LEVELS[level], border: 1, scale: 1 });
  return bordered.slice(1, -1).map((row) => row.slice(1, -1));
}

function* runsOf(row: readonly boolean[]): Generator<{ readonly start: number; readonly length: number }> {
  for (let start = row.indexOf(true); start !== -1;) {
    const end = row.indexOf(false, start);
    yield { start, length: (end === -1 ? row.length : end) - start };
    start = end === -1 ? -1 : row.indexOf(true, end);
  }
}
