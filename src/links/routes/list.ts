import * as z from 'zod';

/**
 * A list with bounds. Its length is checked before its items, since each item that is parsed costs time and may add an
 * error.
 *
 * @param things what the items are, for errors
 */
export function listOf<Item extends z.ZodType>(
  item: Item,
  { least = 1, most, things }: { readonly least?: number; readonly most: number; readonly things: string },
) {
  const error = `must contain ${least} to ${most} ${things}`;
  return z.preprocess(
    (value, context) => {
      if (Array.isArray(value) && (value.length < least || value.length > most))
        context.issues.push({ code: 'custom', message: error, input: value });
      return value;
    },
    z.array(item).min(least, error).max(most, error),
  );
}
