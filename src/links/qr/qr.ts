import { markedUrl } from '../../clicks/source.ts';
import { AppError } from '../../errors.ts';
import { refuseUnreadable, rgbOf } from './colours.ts';
import type { Logo } from './logo.ts';
import { clearMiddle, encodeModules, runsOf, type Square } from './modules.ts';
import type { QrOptions } from './options.ts';

/** A code as it is drawn. */
interface Drawing {
  readonly modules: readonly boolean[][];
  /** The width with both margins, in modules. */
  readonly width: number;
  /** Where the logo is; null without one. */
  readonly square: Square | null;
}

/**
 * Draws a short URL as a QR code, in SVG. Throws `invalid_colour` for colours that scanners may not distinguish, and
 * `invalid_level` for a logo on a code that cannot be read without what it covers.
 */
export async function drawQrSvg(shortUrl: string, options: QrOptions, logo: Logo | null = null): Promise<string> {
  const { size, margin, colour, background } = options;
  const { modules, width, square } = await draw(shortUrl, options, logo);
  const bars = modules.flatMap((row, y) =>
    [...runsOf(row)].map(({ start, length }) => `M${start + margin} ${y + margin}h${length}v1h-${length}z`),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${width} ${width}"` +
    ` shape-rendering="crispEdges"><path fill="${background}" d="M0 0h${width}v${width}H0z"/>` +
    `<path fill="${colour}" d="${bars.join('')}"/>${logo && square ? imageOf(logo, square, margin) : ''}</svg>\n`
  );
}

// As an image, in which nothing runs and nothing is loaded, whatever the file says.
function imageOf({ type, bytes }: Logo, { start, length }: Square, margin: number): string {
  const [at, side] = [start + margin + LOGO_MARGIN, length - 2 * LOGO_MARGIN];
  const data = Buffer.from(bytes).toString('base64');
  return `<image x="${at}" y="${at}" width="${side}" height="${side}" href="data:${type};base64,${data}"/>`;
}

// In modules.
const LOGO_MARGIN = 0.5;

/**
 * Draws a short URL as a QR code, in PNG. Modules are whole pixels; the rest of the size goes to the margin. Throws
 * `invalid_size` if a module would be less than a pixel, and what `drawQrSvg` throws; `malformed_body` for a logo without
 * pixels.
 */
export async function drawQrPng(
  shortUrl: string,
  options: QrOptions,
  logo: Logo | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = options;
  const { modules, square, scale } = await drawInPixels(shortUrl, options, logo);
  const offset = Math.floor((size - scale * modules.length) / 2);
  const bits = drawBits(modules, { size, scale, offset });
  const { encodePng } = await import('./encoders.ts');
  const [dark, light] = [rgbOf(options.colour), rgbOf(options.background)];
  if (logo === null || square === null) {
    const isPlain = options.colour === '#000000' && options.background === '#ffffff';
    const palette = isPlain ? {} : { palette: [[...dark], [...light]] };
    return new Uint8Array(encodePng({ width: size, height: size, data: bits, depth: 1, channels: 1, ...palette }));
  }
  const { paintLogo } = await import('./paint-logo.ts');
  const data = toRgb(bits, size, dark, light);
  const side = Math.floor((square.length - 2 * LOGO_MARGIN) * scale);
  const at = offset + Math.round((square.start + LOGO_MARGIN) * scale);
  paintLogo({ data, size }, logo, { at, side });
  return new Uint8Array(encodePng({ width: size, height: size, data, depth: 8, channels: 3 }));
}

/** Checks that a short URL can be drawn with these options, in both formats. Throws what the drawing would throw. */
export async function checkQr(shortUrl: string, options: QrOptions): Promise<void> {
  await drawInPixels(shortUrl, options, null);
}

async function drawInPixels(shortUrl: string, options: QrOptions, logo: Logo | null) {
  const drawing = await draw(shortUrl, options, logo);
  const scale = Math.floor(options.size / drawing.width);
  if (scale > 0) return { ...drawing, scale };
  throw new AppError(
    'invalid_size',
    `size must be at least ${drawing.width} for this link, with this margin and level.`,
  );
}

/** One bit for each pixel, in lines of whole bytes; set for the background. */
function drawBits(
  modules: readonly boolean[][],
  { size, scale, offset }: { size: number; scale: number; offset: number },
): Uint8Array {
  const bytesPerLine = Math.ceil(size / 8);
  const data = new Uint8Array(bytesPerLine * size).fill(0xff);
  for (const [y, row] of modules.entries()) {
    const line = new Uint8Array(bytesPerLine).fill(0xff);
    for (const { start, length } of runsOf(row)) {
      const [from, to] = [offset + start * scale, offset + (start + length) * scale];
      for (let x = from; x < to; x++) line[x >> 3]! &= ~(0x80 >> (x & 7));
    }
    for (let i = 0; i < scale; i++) data.set(line, (offset + y * scale + i) * bytesPerLine);
  }
  return data;
}

function toRgb(bits: Uint8Array, size: number, dark: readonly number[], light: readonly number[]): Uint8Array {
  const bytesPerLine = Math.ceil(size / 8);
  const data = new Uint8Array(size * size * 3);
  for (let y = 0, to = 0; y < size; y++) {
    for (let x = 0; x < size; x++, to += 3) {
      const isLight = (bits[y * bytesPerLine + (x >> 3)]! >> (7 - (x & 7))) & 1;
      data.set(isLight ? light : dark, to);
    }
  }
  return data;
}

async function draw(shortUrl: string, options: QrOptions, logo: Logo | null): Promise<Drawing> {
  refuseUnreadable(options);
  if (logo !== null && options.level !== 'H') {
    const sentence = 'A logo covers a part of the code, which only the error level H restores. Choose H.';
    throw new AppError('invalid_level', sentence, { faults: [{ field: 'level', sentence }] });
  }
  const modules = await encodeModules(options.marker ? markedUrl(shortUrl) : shortUrl, options.level);
  const width = modules.length + 2 * options.margin;
  return logo === null ? { modules, width, square: null } : { ...clearMiddle(modules), width };
}
