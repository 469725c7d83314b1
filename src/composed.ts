/** As many UTF-16 code units may be composed to one character: four code points of two each (https://www.unicode.org/faq/normalization.html). */
export const MOST_UNITS_OF_CHARACTER = 8;

/**
 * A text in NFC, or null where it is longer than any spelling of what may be there: to compose a run of marks takes time in
 * the square of its length.
 *
 * @param mostUnits UTF-16 code units before it is composed
 */
export function composed(text: string, mostUnits: number): string | null {
  return text.length > mostUnits ? null : text.normalize('NFC');
}
