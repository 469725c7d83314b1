import * as z from 'zod';
import { isWebUrl } from '../fields/url.ts';

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

/** Whether a value from KV can be a list of rules or variants, each with a name, a URL and the rest of it. */
export function areRoutes(
  value: unknown,
  hasRest: (item: { readonly if?: unknown; readonly weight?: unknown }) => boolean,
): boolean {
  return Array.isArray(value) && value.every((item: unknown) => isNamedUrl(item) && hasRest(item));
}

function isNamedUrl(item: unknown): item is { readonly if?: unknown; readonly weight?: unknown } {
  if (typeof item !== 'object' || item === null || !('name' in item) || !('url' in item)) return false;
  return typeof item.name === 'string' && isWebUrl(item.url);
}

/** An empty list clears the field, like null. */
export const unlessEmpty = <Item>(items: Item[]): Item[] | null => (items.length === 0 ? null : items);
