/** The first characters of a text, counted as code points, without the spaces at their end. */
export function firstCharacters(text: string, most: number): string {
  // A character has at most two code units.
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('')
    .trimEnd();
}
