import { hasLetters, letterPaths, type Letters } from './letters.ts';
import { TRANSPARENT, type QrOptions } from './options.ts';
import type { Surroundings } from './frame.ts';

/**
 * The shapes of a code with its text, in SVG. Letters that have no outline are a text in the font of the reader.
 *
 * @param shapes what is drawn beneath the text
 */
export function writeSvg(
  shapes: string,
  { width, height }: Pick<Surroundings, 'width' | 'height'>,
  writing: NonNullable<Surroundings['writing']>,
  letters: Letters,
  { text, colour, background }: Pick<QrOptions, 'text' | 'colour' | 'background'>,
): string {
  const write = (fill: string) => {
    const { x, y, em } = writing;
    if (hasLetters(letters, text)) {
      const { paths, scale } = letterPaths(letters, text, em);
      return `<path fill="${fill}" shape-rendering="auto" transform="translate(${round(x)} ${round(y)})scale(${scale})" d="${paths}"/>`;
    }
    const at = `x="${width / 2}" y="${round(y)}" font-size="${round(em)}"`;
    return `<text fill="${fill}" ${at} font-family="sans-serif" font-weight="700" text-anchor="middle">${escape(text)}</text>`;
  };
  if (!writing.isLight) return shapes + write(colour);
  if (background !== TRANSPARENT) return shapes + write(background);
  // Cut out, as in a PNG, so that what is behind the frame is behind the letters too.
  const all = `<path fill="#ffffff" d="M0 0h${width}v${height}H0z"/>`;
  const area = `maskUnits="userSpaceOnUse" x="0" y="0" width="${width}" height="${height}"`;
  return `<mask id="text" ${area}>${all}${write('#000000')}</mask><g mask="url(#text)">${shapes}</g>`;
}

const round = (number: number) => Number(number.toFixed(3));

const escape = (text: string) => text.replaceAll(/[&<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
