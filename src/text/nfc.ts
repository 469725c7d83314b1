/**
 * The most UTF-16 code units that compose to one character: four code points of two each
 * (https://www.unicode.org/faq/normalization.html).
 */
export const MAX_UNITS_OF_CHARACTER = 8;

/**
 * A text in NFC, or null if it is too long. The length is checked first, since composing a run of marks takes quadratic
 * time.
 *
 * @param mostUnits the most UTF-16 code units before composing
 */
export function normalizeBounded(text: string, mostUnits: number): string | null {
  return text.length > mostUnits ? null : text.normalize('NFC');
}
