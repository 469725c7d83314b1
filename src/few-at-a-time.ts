/** Does some work for each item, for no more than so many of them at a time, in their order. Throws what the work throws. */
export async function fewAtATime<Item>(
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
