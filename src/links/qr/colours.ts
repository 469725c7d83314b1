import { AppError } from '../../errors.ts';
import { TRANSPARENT, type QrOptions } from './options.ts';

/** Red, green and blue, from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** @param colour `#rrggbb` */
export function rgbOf(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/**
 * By how much of the brightness of white the background must be brighter than the code. Scanners take for dark what is less
 * than half as bright as what is around it; with this, a code is less than 40 per cent as bright as its background.
 */
const MIN_PERCENT = 60;

/**
 * Refuses colours that scanners may not distinguish. What is behind a transparent background is taken for white. Throws
 * `invalid_colour`.
 */
export function refuseUnreadable(options: Pick<QrOptions, 'colour' | 'background'>): void {
  const { colour } = options;
  const background = options.background === TRANSPARENT ? '#ffffff' : options.background;
  const percent = Math.floor((100 * (brightnessOf(background) - brightnessOf(colour))) / 255);
  if (percent >= MIN_PERCENT) return;
  const sentence =
    percent < 0
      ? `The code (${colour}) is lighter than the background (${background}), and many scanners read only a dark code on a light background. Swap the colours.`
      : `Scanners may confuse the code (${colour}) with the background (${background}): the contrast is ${percent}%, and has to be ${MIN_PERCENT}% or more. Choose a darker colour for the code or a lighter one for the background.`;
  throw new AppError('invalid_colour', sentence, { faults: [{ field: 'colour', sentence }] });
}

/** The brightness of a colour as scanners compare it, from 0 to 255: the luma of ITU-R BT.709. */
function brightnessOf(colour: string): number {
  const [red, green, blue] = rgbOf(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
