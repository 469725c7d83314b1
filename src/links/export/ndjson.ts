/** Texts with a line of JSON for each item, page by page. */
export async function* ndjsonOf<Item>(
  pages: AsyncIterable<readonly Item[]>,
  present: (item: Item) => object,
): AsyncGenerator<string, void> {
  for await (const items of pages) yield items.map((item) => `${JSON.stringify(present(item))}\n`).join('');
}
