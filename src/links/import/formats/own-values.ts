import { fieldOf } from '../../fields/table.ts';
import { truthOf } from './truth-words.ts';
import { EACH_CONTROL, unambiguousCountOf } from './values.ts';

/**
 * Values in the format of this service as its schemas have them, where a spreadsheet has written them in its own way, as it
 * does in the files of other services. What has no such meaning stays, so that its row is refused.
 */

/** A cell of a CSV: a text, or a flag. */
export function cellOf(name: string, text: string): string | boolean {
  if (TEXTS.has(name)) return text;
  const trimmed = text.trim();
  if (isFlag(name)) return truthOf(trimmed) ?? trimmed;
  return isCount(name) ? String(unambiguousCountOf(trimmed) ?? trimmed) : trimmed;
}

/** A title in one line; null if it is one already, or no text. */
export function titleInOneLine(title: unknown): string | null {
  if (typeof title !== 'string' || !/[\r\n]/.test(title)) return null;
  return title.replaceAll(EACH_CONTROL, ' ').trim();
}

/** What may begin or end with a space. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'comments', 'campaign_name', 'sec_id', 'external_id', 'metadata']);

const isFlag = (name: string) => name === 'disabled' || name === 'has_password' || fieldOf(name)?.stored === 'flag';

const isCount = (name: string) => name === 'clicks_left' || fieldOf(name)?.stored === 'integer';
