import { fieldError } from '../../input/validation.ts';
import { CAPITAL, widthOf, type Letters, type Writing } from './letters.ts';
import type { QrOptions } from './options.ts';
import type { Box } from './shapes.ts';

/** A frame around a code, and a text beneath it, which is light on the frame, or dark without one. */

/** The least quiet zone within a frame, in modules: with less, scanners take the frame for a part of the code. */
const MIN_MARGIN = 2;

/** The width of a frame, in modules. */
const LINE = 1;

/** A picture and what is around the code in it, in modules. */
export interface Surroundings {
  readonly width: number;
  readonly height: number;
  /** Where the code begins, from the left and from the top. */
  readonly start: number;
  /** The frame: its outside and its inside. */
  readonly boxes: readonly Box[];
  /** Where the text is written, and if it is light on the frame; null without one. */
  readonly writing: (Writing & { readonly isLight: boolean }) | null;
}

/**
 * The frame and the text of a code with these options.
 *
 * @param modules the width of the code
 * @param letters null without a text, or where nothing is written yet
 */
export function surround(modules: number, options: QrOptions, letters: Letters | null): Surroundings {
  const { margin, frame, text } = options;
  const hasFrame = frame !== 'none';
  if (hasFrame && margin < MIN_MARGIN) {
    const sentence = `Within a frame, the margin has to be ${MIN_MARGIN} modules or more.`;
    throw fieldError('invalid_margin', 'margin', sentence);
  }
  const start = margin + (hasFrame ? LINE : 0);
  const width = modules + 2 * start;
  const most = width / EMS_ACROSS;
  const capital = CAPITAL * most;
  const beside = hasFrame ? 2 * LINE : Math.max(margin, LINE);
  const label = text === '' ? 0 : Math.round(capital + (hasFrame ? capital : beside));
  const height = width + label;
  const place = { width, height, start };
  const boxes = hasFrame ? frameOf(width, height, frame === 'round') : [];
  if (text === '' || letters === null) return { ...place, boxes, writing: null };
  const ems = widthOf(letters, text);
  const em = Math.min(most, (width - 2 * beside) / ems);
  const middle = hasFrame ? (width - LINE + height) / 2 : width + capital / 2;
  const writing = { em, x: (width - ems * em) / 2, y: middle + (CAPITAL * em) / 2, isLight: hasFrame };
  return { ...place, boxes, writing };
}

/** The largest text has so many ems in the width of the picture. */
const EMS_ACROSS = 8;

function frameOf(width: number, height: number, isRound: boolean): Box[] {
  const inside = width - 2 * LINE;
  return [
    { x: 0, y: 0, width, height, radius: isRound ? 2.5 : 0 },
    { x: LINE, y: LINE, width: inside, height: inside, radius: isRound ? 1.5 : 0 },
  ];
}
