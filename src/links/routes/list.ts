import * as z from 'zod';
import { isWebUrl } from '../fields/url.ts';

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
