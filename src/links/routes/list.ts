import * as z from 'zod';

/**
 * A list with bounds. Zod checks the length before it parses the items, so that a long list costs no more than its JSON.
 *
 * @param things what the items are, for errors
 * @param canBeEmpty whether an empty list is accepted, whatever the least is
 */
export function listOf<Item extends z.ZodType>(
  item: Item,
  {
    least = 1,
    most,
    things,
    canBeEmpty = false,
  }: { readonly least?: number; readonly most: number; readonly things: string; readonly canBeEmpty?: boolean },
) {
  const error = `must contain ${least} to ${most} ${things}`;
  const list = z
    .array(item)
    .min(canBeEmpty ? 0 : least, error)
    .max(most, error);
  return canBeEmpty ? list.refine(({ length }) => length === 0 || length >= least, error) : list;
}

/** An empty list clears the field, like null. */
export const unlessEmpty = <Item>(items: Item[]): Item[] | null => (items.length === 0 ? null : items);
