/** The most characters of a text that `quote` shows. */
export const MAX_QUOTED = 64;

/** A caller's text in an error sentence: short, and without control characters. */
export function quote(word: string): string {
  const visible = word.slice(0, MAX_QUOTED).replace(/[\p{Cc}\p{Cf}]/gu, ' ');
  return JSON.stringify(word.length > MAX_QUOTED ? `${visible}…` : visible);
}
