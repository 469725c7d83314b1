import { FIELD_NAMES, fieldOf } from '../../fields/table.ts';
import type { Stored } from '../../fields/kinds.ts';
import type { Fields } from '../../../input/validation.ts';
import { isNullDate, isNullWord } from '../null-words.ts';
import { truthOf } from './truth-words.ts';
import { unambiguousCountOf } from './values.ts';

/**
 * Values in the format of this service as its schemas have them, where a spreadsheet has written them in its own way, as it
 * does in the files of other services. What has no such meaning stays, so that its row is refused.
 */

/** The values of a row of a CSV by the names of its columns, those without a name left out. */
export function valuesOf(header: readonly string[], texts: readonly string[]): Fields {
  const values = header.map((name, index) => [name, valueOf(name, texts[index] ?? '')] as const);
  return Object.fromEntries(values.filter(([name]) => name !== ''));
}

function valueOf(name: string, text: string): string | boolean | readonly string[] {
  if (name === 'aliases') return text.split(' ').filter((alias) => alias !== '');
  if (TEXTS.has(name)) return text;
  const trimmed = text.trim();
  if (isAbsent(name, trimmed)) return '';
  if (FLAGS.has(name)) return truthOf(trimmed) ?? trimmed;
  return COUNTS.has(name) ? String(unambiguousCountOf(trimmed) ?? trimmed) : trimmed;
}

/** The fields that may begin or end with a space. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'comments', 'campaign_name', 'sec_id', 'external_id', 'metadata']);

const namesStoredAs = (stored: Stored) => FIELD_NAMES.filter((name) => fieldOf(name)?.stored === stored);
const FLAGS: ReadonlySet<string> = new Set(['disabled', 'has_password', ...namesStoredAs('flag')]);
const COUNTS: ReadonlySet<string> = new Set(['clicks_left', ...namesStoredAs('integer')]);
const DATES: ReadonlySet<string> = new Set(['created_at', ...namesStoredAs('instant')]);

// A text can be NULL, if it is quoted, and so can a slug and a tag.
function isAbsent(name: string, text: string): boolean {
  if (DATES.has(name)) return isNullWord(text) || isNullDate(text);
  return (FLAGS.has(name) || COUNTS.has(name)) && isNullWord(text);
}
