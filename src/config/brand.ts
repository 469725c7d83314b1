import { ConfigError, readText, type Settings } from './setting-values.ts';
import { BLACK, contrastOf, hexOf, mix, readColour, WHITE, type Rgb } from './colour.ts';

/** The name and the colour of an operator's service: `BRAND_NAME`, `BRAND_COLOUR`. A logo is a file of the build. */
export interface Brand {
  readonly name: string;
  /** The colour of the mark, the main buttons and the bands: six hexadecimal digits, or null for the one of the design. */
  readonly colour: string | null;
}

/** The brand of a service whose operator has set none. */
export const OWN_BRAND: Brand = { name: 'Terse', colour: null };

const MAX_NAME_LENGTH = 40;
/** White text stands on it (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;

export function readBrand(settings: Settings): Brand {
  return { name: readName(settings), colour: readBrandColour(settings) };
}

function readName(settings: Settings): string {
  const text = readText(settings, 'BRAND_NAME');
  if (text === '') return OWN_BRAND.name;
  // Without controls, which also turn the direction of the text around it.
  if (text.length > 2 * MAX_NAME_LENGTH || !/^[^\p{C}\p{Zl}\p{Zp}]{1,40}$/u.test(text))
    throw new ConfigError(`BRAND_NAME must be a name of at most ${MAX_NAME_LENGTH} characters on one line.`);
  return text;
}

function readBrandColour(settings: Settings): string | null {
  const text = readText(settings, 'BRAND_COLOUR').toLowerCase();
  if (text === '') return null;
  const colour = readColour(text);
  if (colour === null) throw new ConfigError('BRAND_COLOUR must be a colour of six digits, such as #0b6b4b.');
  const contrast = contrastOf(colour, WHITE);
  if (contrast < LEAST_CONTRAST) {
    throw new ConfigError(
      `BRAND_COLOUR ${text} has a contrast of ${contrast.toFixed(1)} with white text, which needs ${LEAST_CONTRAST}. ` +
        `A darker colour of the same hue is ${hexOf(darkened(colour))}.`,
    );
  }
  return text.slice(1);
}

function darkened(colour: Rgb): Rgb {
  const steps = Array.from({ length: 100 }, (_, step) => mix(colour, BLACK, step / 100));
  return steps.find((step) => contrastOf(step, WHITE) >= LEAST_CONTRAST) ?? BLACK;
}
