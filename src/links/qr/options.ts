import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { isSeen } from '../../text/look-alikes.ts';
import { lineUpTo } from '../fields/line.ts';

const MIN_SIZE_PIXELS = 64;
const MAX_SIZE_PIXELS = 2048;
const MAX_MARGIN_MODULES = 16;

/** Which part of a code may be damaged: about 7, 15, 25 or 30 per cent. */
export const LEVELS = ['L', 'M', 'Q', 'H'] as const;

export const STYLES = ['square', 'round'] as const;

export const FRAMES = ['none', ...STYLES] as const;

/** The most characters of the text beneath a code: more would be too small to read at two centimetres. */
const MAX_TEXT_CHARACTERS = 24;

/** The background that a code does not have. */
export const TRANSPARENT = 'transparent';

/** The formats of a code, and their media types. */
export const QR_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const;

export type QrFormat = keyof typeof QR_TYPES;

/** The options of a QR code. */
export interface QrOptions {
  /** The width of the picture, and its height without a text, in pixels. */
  readonly size: number;
  /** The quiet zone on each side, in modules; ISO/IEC 18004 requires 4. */
  readonly margin: number;
  readonly level: (typeof LEVELS)[number];
  /** The colours of the code and of the background, as `#rrggbb`; that of the background can be `transparent`. */
  readonly colour: string;
  readonly background: string;
  /** The shapes of its modules, and of its three large squares. */
  readonly dots: (typeof STYLES)[number];
  readonly corners: (typeof STYLES)[number];
  /** The shape of the line around it. */
  readonly frame: (typeof FRAMES)[number];
  /** Written beneath it; empty for none. */
  readonly text: string;
  /** True if the code has the parameter by which statistics know its visits. */
  readonly marker: boolean;
  /** True if it has the logo that its client keeps for it. */
  readonly logo: boolean;
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

function colour(usual: string, what: string, word?: string) {
  const pattern = word === undefined ? /^#?[\da-fA-F]{6}$/ : new RegExp(`^(?:#?[\\da-fA-F]{6}|${word})$`);
  const or = word === undefined ? '' : `, or ${word}`;
  return z
    .string()
    .regex(pattern, `must be a colour as six hexadecimal digits, such as 1d4f91${or}`)
    .transform((text) => (text === word ? text : `#${text.replace('#', '').toLowerCase()}`))
    .default(`#${usual}`)
    .meta({
      description: `${what}, with or without # (%23)${or}; ${usual} if left out`,
      brief: `Such as ${usual}${or}`,
    });
}

function style(what: string, brief: string) {
  return z
    .enum(STYLES, { error: 'must be square or round' })
    .default('square')
    .meta({ description: `${what}; square if left out`, brief });
}

/** The query of a QR code, besides the client. */
export const qrFields = lazy(() => ({
  size: wholeNumber(
    MIN_SIZE_PIXELS,
    MAX_SIZE_PIXELS,
    512,
    'Width and height in pixels; the height is more with a text',
  ),
  margin: wholeNumber(0, MAX_MARGIN_MODULES, 4, 'Quiet zone on each side, in modules'),
  level: z
    .enum(LEVELS, { error: 'must be L, M, Q or H' })
    .default('M')
    .meta({ description: 'Error correction: how much may be damaged' }),
  colour: colour('000000', 'The colour of the code'),
  background: colour('ffffff', 'The background colour, which must be lighter than the code', TRANSPARENT),
  dots: style('The shape of the modules', 'Its modules'),
  corners: style('The shape of the three large squares', 'Its large squares'),
  frame: z.enum(FRAMES, { error: 'must be none, square or round' }).default('none').meta({
    description: 'A line around the code, with these corners, within which the margin is at least 2; none if left out',
    brief: 'A line around it',
  }),
  text: lineUpTo(MAX_TEXT_CHARACTERS).refine(isSeen, 'must not be empty: leave it out').default('').meta({
    description:
      'A text beneath the code, with which the picture is higher than it is wide. A PNG has the letters of western European languages alone.',
    brief: 'Beneath it',
    example: 'Scan me',
  }),
  marker: choice(
    true,
    'Whether the code has the parameter `via=qr`, by which click statistics know its visits; true if left out',
    'With `via=qr`, for statistics',
  ),
  logo: choice(
    false,
    'Whether the code has the logo that is kept for the domain of the link or else for all links, for which it needs the level H; false if left out',
    'The kept one; with level H',
  ),
}));

function choice(usual: boolean, description: string, brief: string) {
  return z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .default(usual)
    .meta({ description, brief });
}
