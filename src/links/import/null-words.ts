/** The words by which databases write that a value is absent: MySQL and its tools, and COPY of PostgreSQL. */
const WORDS: readonly string[] = ['NULL', String.raw`\N`];

const CODES = WORDS.map((word) => Array.from(word, (letter) => letter.charCodeAt(0)));

/** For each byte, whether such a word may begin with it. */
export const BEGINS_NULL_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(CODES.some(([first]) => first === byte)),
);

export const isNullWord = (text: unknown): boolean => typeof text === 'string' && WORDS.includes(text);

/** True if a text is what MySQL writes for a date that is absent. */
export const isNullDate = (text: unknown): boolean =>
  typeof text === 'string' && /^\s*0000-00-00(?:[ T]00:00:00(?:\.0{1,9})?Z?)?\s*$/.test(text);

/** True if the bytes from `begin` up to `end` are such a word. */
export function isNullWordAt(bytes: Uint8Array, begin: number, end: number): boolean {
  return CODES.some(
    (codes) => codes.length === end - begin && codes.every((code, index) => bytes[begin + index] === code),
  );
}
