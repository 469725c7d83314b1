/** The most bytes of a list. D1 accepts 2,000,000 in a parameter: https://developers.cloudflare.com/d1/platform/limits/ */
const MAX_BYTES = 1_000_000;

/** A list as one or more JSON lists, each short enough for a parameter of a statement; none if it is empty. */
export function listsOf(items: readonly unknown[]): string[] {
  const lists: string[][] = [];
  let bytes = Infinity;
  for (const text of items.map((item) => JSON.stringify(item))) {
    bytes += Buffer.byteLength(text) + 1;
    if (bytes <= MAX_BYTES) {
      lists.at(-1)?.push(text);
      continue;
    }
    lists.push([text]);
    bytes = Buffer.byteLength(text) + 2;
  }
  return lists.map((texts) => `[${texts.join(',')}]`);
}
