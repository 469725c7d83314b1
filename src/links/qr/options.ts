import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';

const MIN_SIZE_PIXELS = 64;
const MAX_SIZE_PIXELS = 2048;
const MAX_MARGIN_MODULES = 16;

/** Which part of a code may be damaged: about 7, 15, 25 or 30 per cent. */
export const LEVELS = ['L', 'M', 'Q', 'H'] as const;

/** The options of a QR code. */
export interface QrOptions {
  /** Width and height of the picture, in pixels. */
  readonly size: number;
  /** The quiet zone on each side, in modules; ISO/IEC 18004 requires 4. */
  readonly margin: number;
  readonly level: (typeof LEVELS)[number];
  /** The colours of the code and of the background, as `#rrggbb`. */
  readonly colour: string;
  readonly background: string;
  /** True if the code has the parameter by which statistics know its visits. */
  readonly marker: boolean;
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

function colour(usual: string, what: string) {
  return z
    .string()
    .regex(/^#?[\da-fA-F]{6}$/, 'must be a colour as six hexadecimal digits, such as 1d4f91')
    .transform((text) => `#${text.replace('#', '').toLowerCase()}`)
    .default(`#${usual}`)
    .meta({
      description: `${what}, with or without # (%23); ${usual} if left out`,
      brief: `${what}, such as ${usual}`,
    });
}

/** The query of a QR code, besides the client. */
export const qrFields = lazy(() => ({
  size: wholeNumber(MIN_SIZE_PIXELS, MAX_SIZE_PIXELS, 512, 'Width and height in pixels'),
  margin: wholeNumber(0, MAX_MARGIN_MODULES, 4, 'Quiet zone on each side, in modules'),
  level: z
    .enum(LEVELS, { error: 'must be L, M, Q or H' })
    .default('M')
    .meta({ description: 'Error correction: how much may be damaged' }),
  colour: colour('000000', 'The colour of the code'),
  background: colour('ffffff', 'The background colour, which must be lighter than the code'),
  marker: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .default(true)
    .meta({
      description:
        'Whether the code has the parameter `via=qr`, by which click statistics know its visits; true if left out',
    }),
}));
