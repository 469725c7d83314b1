import * as z from 'zod';

/**
 * A list with bounds. Zod checks the length before it parses the items, so that a long list costs no more than its JSON.
 *
 * @param things what the items are, for errors
 */
export function listOf<Item extends z.ZodType>(
  item: Item,
  { least = 1, most, things }: { readonly least?: number; readonly most: number; readonly things: string },
) {
  const error = `must contain ${least} to ${most} ${things}`;
  return z.array(item).min(least, error).max(most, error);
}
