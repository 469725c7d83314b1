/** Does some work for each item, in order, for a limited number of them at a time. Throws what the work throws. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const workOn = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, workOn));
}
