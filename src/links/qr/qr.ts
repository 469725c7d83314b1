import { markedUrl } from '../../clicks/source.ts';
import { AppError } from '../../errors.ts';
import { fieldError } from '../../input/validation.ts';
import { colourBits, drawBits } from './bits.ts';
import { refuseUnreadable, rgbOf } from './colours.ts';
import { surround, type Surroundings } from './frame.ts';
import { hasLetters, outlinesOf, type Letters } from './letters.ts';
import { writeSvg } from './letters-svg.ts';
import type { Logo } from './logo.ts';
import { clearMiddle, encodeModules, type Square } from './modules.ts';
import { TRANSPARENT, type QrOptions } from './options.ts';
import { boxesOf, moveBox, outlineOf, type Box } from './shapes.ts';

/** The logo and the letters of a code. */
interface Given {
  readonly logo?: Logo | null;
  /** Needed for a text. */
  readonly letters?: Letters | null;
}

/** A code as it is drawn. */
interface Drawing extends Surroundings {
  readonly modules: readonly boolean[][];
  /** Where the logo is; null without one. */
  readonly square: Square | null;
}

/**
 * Draws a short URL as a QR code, in SVG. Throws `invalid_colour` for colours that scanners may not distinguish,
 * `invalid_level` for a logo on a code that cannot be read without what it covers, and `invalid_margin` for a frame too
 * near to the code.
 */
export async function drawQrSvg(shortUrl: string, options: QrOptions, given: Given = {}): Promise<string> {
  const { size, colour, background } = options;
  const { logo, letters = null } = given;
  const drawing = await draw(shortUrl, options, given);
  const { width, height, start, square, writing } = drawing;
  const boxes = allBoxes(drawing, options);
  const ground = background === TRANSPARENT ? '' : `<path fill="${background}" d="M0 0h${width}v${height}H0z"/>`;
  const round = boxes.filter(({ radius }) => radius > 0);
  // What is not round is drawn as it always was.
  const rest = boxes.filter(({ radius }) => radius === 0);
  const rule = round.length > 0 || drawing.boxes.length > 0 ? ' fill-rule="evenodd"' : '';
  const pathOf = (some: readonly Box[], attributes: string) =>
    some.length === 0 ? '' : `<path fill="${colour}"${attributes} d="${some.map(outlineOf).join('')}"/>`;
  const shapes = `${pathOf(rest, rule)}${pathOf(round, `${rule} shape-rendering="auto"`)}`;
  const picture = logo && square ? imageOf(logo, square, start) : '';
  const drawn = writing && letters ? writeSvg(shapes, drawing, writing, letters, options) : shapes;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${Math.round((size * height) / width)}"` +
    ` viewBox="0 0 ${width} ${height}" shape-rendering="crispEdges">${ground}${drawn}${picture}</svg>\n`
  );
}

/** The boxes of the code in its place, and those of the frame. */
const allBoxes = ({ modules, start, boxes }: Drawing, options: QrOptions): readonly Box[] => [
  ...boxes,
  ...boxesOf(modules, options).map((box) => moveBox(box, start)),
];

// As an image, in which nothing runs and nothing is loaded, whatever the file says.
function imageOf({ type, bytes }: Logo, square: Square, start: number): string {
  const at = square.start + start + LOGO_MARGIN;
  const side = square.length - 2 * LOGO_MARGIN;
  const data = Buffer.from(bytes).toString('base64');
  return `<image x="${at}" y="${at}" width="${side}" height="${side}" href="data:${type};base64,${data}"/>`;
}

// In modules.
const LOGO_MARGIN = 0.5;

/**
 * Draws a short URL as a QR code, in PNG. Modules are whole pixels; the rest of the size is around the picture. Throws
 * `invalid_size` if a module would be less than a pixel, `invalid_text` for letters without an outline, and what
 * `drawQrSvg` throws; `malformed_body` for a logo without pixels.
 */
export async function drawQrPng(
  shortUrl: string,
  options: QrOptions,
  given: Given = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { size, text } = options;
  const { logo = null, letters = null } = given;
  const { scale, ...drawing } = await drawInPixels(shortUrl, options, given);
  const { width, height, start, square, writing } = drawing;
  if (letters && !hasLetters(letters, text)) throw invalidText();
  const outlines = writing && letters ? outlinesOf(letters, text, writing) : [];
  const sides = { width: size, height: size + (height - width) * scale };
  const offset = Math.floor((size - scale * width) / 2);
  const bits = drawBits(allBoxes(drawing, options), outlines, { ...sides, scale, offset });
  const { encodePng } = await import('./encoders.ts');
  const { dark, light, isClear } = coloursOf(options);
  if (logo === null || square === null) {
    const isPlain = options.colour === '#000000' && options.background === '#ffffff';
    // The encoder takes the opacities of a palette for those of its first colours.
    const data = isClear ? bits.map((byte) => byte ^ 0xff) : bits;
    const palette = isClear ? [light, dark] : [dark, light];
    return new Uint8Array(encodePng({ ...sides, data, depth: 1, channels: 1, ...(!isPlain && { palette }) }));
  }
  const { paintLogo } = await import('./paint-logo.ts');
  const channels = isClear ? 4 : 3;
  const data = colourBits(bits, sides, dark, light);
  const side = Math.floor((square.length - 2 * LOGO_MARGIN) * scale);
  const at = offset + Math.round((start + square.start + LOGO_MARGIN) * scale);
  paintLogo({ data, size, channels }, logo, { at, side });
  return new Uint8Array(encodePng({ ...sides, data, depth: 8, channels }));
}

const invalidText = () =>
  fieldError('invalid_text', 'text', 'A PNG cannot have these letters. Draw the code as SVG, or use Latin letters.');

/** The bytes of a dark and of a light pixel, with their opacities if the background is transparent. */
function coloursOf({ colour, background }: QrOptions): { dark: number[]; light: number[]; isClear: boolean } {
  if (background === TRANSPARENT) return { dark: [...rgbOf(colour), 255], light: [255, 255, 255, 0], isClear: true };
  return { dark: [...rgbOf(colour)], light: [...rgbOf(background)], isClear: false };
}

/**
 * Checks that a short URL can be drawn with these options, in both formats, apart from its text. Throws what the drawing
 * would throw.
 *
 * @returns the width and the height of the picture, in modules
 */
export async function checkQr(shortUrl: string, options: QrOptions): Promise<Pick<Surroundings, 'width' | 'height'>> {
  return drawInPixels(shortUrl, options, {});
}

async function drawInPixels(shortUrl: string, options: QrOptions, given: Given) {
  const drawing = await draw(shortUrl, options, given);
  const scale = Math.floor(options.size / drawing.width);
  if (scale > 0) return { ...drawing, scale };
  throw new AppError(
    'invalid_size',
    `size must be at least ${drawing.width} for this link, with this margin and level.`,
  );
}

async function draw(shortUrl: string, options: QrOptions, { logo = null, letters = null }: Given): Promise<Drawing> {
  refuseUnreadable(options);
  if (logo !== null && options.level !== 'H') {
    const sentence = 'A logo covers a part of the code, which only error correction H restores. Choose H.';
    throw fieldError('invalid_level', 'level', sentence);
  }
  const modules = await encodeModules(options.marker ? markedUrl(shortUrl) : shortUrl, options.level);
  const around = surround(modules.length, options, letters);
  return { ...around, ...(logo === null ? { modules, square: null } : clearMiddle(modules)) };
}
