import { BLACK, contrastOf, hexOf, mix, readColour, WHITE, type Rgb } from '../config/colour.ts';

/** The style sheet of an operator's colour, which gives tokens of the design other values. */

/** The dark sheet and the dark ink of the design (src/design/tokens.css). */
const DARK_SHEET: Rgb = [0x14, 0x1d, 0x19];
const DARK_INK: Rgb = [0x06, 0x12, 0x0d];
/** For text (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;

/** The tokens that follow the colour: each in light and in dark. White text can be read on the colour. */
export function tokensOfColour(colour: Rgb): ReadonlyMap<string, readonly [light: Rgb, dark: Rgb]> {
  const inDark = readableIn(
    Array.from({ length: 51 }, (_, step) => mix(colour, WHITE, step / 50)),
    [DARK_SHEET, DARK_INK],
  );
  const deep = mix(colour, BLACK, 0.25);
  const deepInDark = mix(colour, BLACK, 0.45);
  return new Map([
    ['logo', [colour, colour]],
    ['green', [colour, inDark]],
    ['green-hover', [mix(colour, BLACK, 0.22), mix(inDark, WHITE, 0.22)]],
    ['on-green', [WHITE, DARK_INK]],
    ['focus', [colour, inDark]],
    ['deep', [deep, deepInDark]],
    ['deep-2', [mix(deep, WHITE, 0.1), mix(deepInDark, WHITE, 0.1)]],
    ['on-deep', [WHITE, WHITE]],
    ['on-deep-soft', [soft(deep), soft(deepInDark)]],
  ]);
}

/** The second text of a band. */
const soft = (ground: Rgb) => mix(WHITE, ground, 0.18);

const readableIn = (colours: readonly Rgb[], grounds: readonly Rgb[]): Rgb =>
  colours.find((colour) => grounds.every((ground) => contrastOf(colour, ground) >= READABLE)) ?? WHITE;

/** Answers `brandStylePath`. */
export function respondWithBrandStyle(request: Request, colour: string): Response {
  const tokens = [...tokensOfColour(readColour(`#${colour}`) ?? BLACK)].map(
    ([name, [light, dark]]) => `--${name}:light-dark(${hexOf(light)},${hexOf(dark)})`,
  );
  const headers = {
    'Content-Type': 'text/css; charset=UTF-8',
    // Its name has the colour and not a hash, since the shades are computed.
    'Cache-Control': 'public, max-age=86400',
    'X-Content-Type-Options': 'nosniff',
  };
  return new Response(request.method === 'HEAD' ? null : `:root{${tokens.join(';')}}`, { headers });
}
