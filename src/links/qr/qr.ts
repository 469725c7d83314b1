import { markedUrl } from '../../clicks/source.ts';
import { AppError } from '../../errors.ts';
import { colourBits, drawBits } from './bits.ts';
import { refuseUnreadable, rgbOf } from './colours.ts';
import type { Logo } from './logo.ts';
import { clearMiddle, encodeModules, type Square } from './modules.ts';
import { TRANSPARENT, type QrOptions } from './options.ts';
import { boxesOf, outlineOf, type Box } from './shapes.ts';

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
  const boxes = boxesOf(modules, options);
  const ground = background === TRANSPARENT ? '' : `<path fill="${background}" d="M0 0h${width}v${width}H0z"/>`;
  const round = boxes.filter(({ radius }) => radius > 0);
  // What is not round is drawn as it always was.
  const rest = boxes.filter(({ radius }) => radius === 0);
  const rule = round.length > 0 ? ' fill-rule="evenodd"' : '';
  const pathOf = (some: readonly Box[], attributes: string) =>
    some.length === 0
      ? ''
      : `<path fill="${colour}"${attributes} d="${some.map((box) => outlineOf(box, margin)).join('')}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${width} ${width}"` +
    ` shape-rendering="crispEdges">${ground}${pathOf(rest, rule)}${pathOf(round, `${rule} shape-rendering="auto"`)}` +
    `${logo && square ? imageOf(logo, square, margin) : ''}</svg>\n`
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
  const bits = drawBits(boxesOf(modules, options), { size, scale, offset });
  const { encodePng } = await import('./encoders.ts');
  const { dark, light, isClear } = coloursOf(options);
  if (logo === null || square === null) {
    const isPlain = options.colour === '#000000' && options.background === '#ffffff';
    // The encoder takes the opacities of a palette for those of its first colours.
    const data = isClear ? bits.map((byte) => byte ^ 0xff) : bits;
    const palette = isClear ? [light, dark] : [dark, light];
    const picture = { width: size, height: size, data, depth: 1, channels: 1 } as const;
    return new Uint8Array(encodePng({ ...picture, ...(!isPlain && { palette }) }));
  }
  const { paintLogo } = await import('./paint-logo.ts');
  const channels = isClear ? 4 : 3;
  const data = colourBits(bits, size, dark, light);
  const side = Math.floor((square.length - 2 * LOGO_MARGIN) * scale);
  const at = offset + Math.round((square.start + LOGO_MARGIN) * scale);
  paintLogo({ data, size, channels }, logo, { at, side });
  return new Uint8Array(encodePng({ width: size, height: size, data, depth: 8, channels }));
}

/** The bytes of a dark and of a light pixel, with their opacities if the background is transparent. */
function coloursOf({ colour, background }: QrOptions): { dark: number[]; light: number[]; isClear: boolean } {
  if (background === TRANSPARENT) return { dark: [...rgbOf(colour), 255], light: [255, 255, 255, 0], isClear: true };
  return { dark: [...rgbOf(colour)], light: [...rgbOf(background)], isClear: false };
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
