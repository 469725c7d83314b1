import { firstCharacters } from '../../../text/first-characters.ts';
import { isSeen } from '../../../text/look-alikes.ts';
import { WITHOUT_CONTROLS } from '../../../input/validation.ts';
import { isNullWord } from '../null-words.ts';
import { truthOf } from './truth-words.ts';
import { foldTag, MAX_TAG_CHARACTERS, MAX_TAGS_OF_LINK, MAX_UNITS_OF_TAG, trimmedName } from '../../tags/names.ts';

/** Reads the values of other services' files. A row is bounded by `MAX_ROW_BYTES`, and so is each of its values. */

/** A value as a text without blanks around it; '' for anything without one, such as an object. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** True if a value is an object of JSON, which a list is not. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ABSENT = new Set(['', 'null', 'none']);

/** True if a flag is set. Whatever is not clearly a no counts as a yes. */
export function isYes(value: unknown): boolean {
  if (typeof value === 'object') return value !== null;
  const text = textOf(value);
  return truthOf(text) ?? !(ABSENT.has(text.toLowerCase()) || isNullWord(text));
}

const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?$/i;
const SECONDS = /^\d{9,10}$/;
const MILLISECONDS = /^\d{12,13}$/;
const LONGEST_DATE = 64;

/** An instant in one of the forms of exports, in milliseconds; without an offset it is in UTC. Null if it is none. */
export function instantOf(text: string): number | null {
  if (text.length > LONGEST_DATE) return null;
  if (SECONDS.test(text)) return Number(text) * 1000;
  if (MILLISECONDS.test(text)) return Number(text);
  const found = DATE.exec(text);
  if (!found) return null;
  const [, year, month, day, hours, minutes = '00', seconds = '00', part = '', offset = ''] = found;
  const east = eastOf(offset);
  // An offset of hours alone would be a fourth part of the day.
  if (east === null || (hours === undefined && /^[+-]\d\d$/.test(offset))) return null;
  const time = `${hours ?? '00'}:${minutes}:${seconds}.${part.slice(0, 3).padEnd(3, '0')}`;
  const at = Date.parse(`${year}-${month}-${day}T${time}Z`);
  // The parser takes 31 February for 3 March.
  const isDay = new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day);
  return Number.isNaN(at) || !isDay ? null : at - east * 60_000;
}

/** An instant as `instantOf` reads it, unless it is a number of fewer digits than milliseconds have. */
export const exactInstantOf = (text: string): number | null => (SECONDS.test(text) ? null : instantOf(text));

const MOST_EAST = 14 * 60;

/** The minutes that an offset such as +01:00, +0100 or +01 is east of UTC; 0 without a text, null if it is none. */
export function eastOf(offset: string): number | null {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const east = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || east > MOST_EAST) return null;
  return sign === '-' ? -east : east;
}

// With decimals that are zero: 7.0, and 7,0 where the decimal sign is a comma.
const PLAIN = /^(\d{1,16})(?:[.,]0{1,8})?$/;

// With a sign between thousands, and another one before decimals that are zero: 1,234 and 1.234,00.
const GROUPED = /^([1-9]\d{0,2}(?:([.,'’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,]0{1,8})?$/;

const LONGEST_COUNT = 32;

/** A count; null if it is none, or can be read as two. `1,000` is a thousand, as the services write it. */
export const countOf = (text: string): number | null =>
  /^\d{1,3},000$/.test(text) ? Number(text.replace(',', '')) : unambiguousCountOf(text);

/** A count; null if it is none, or can be read as two, as `1,000` can where the decimal sign is a comma. */
export function unambiguousCountOf(text: string): number | null {
  const [plain, grouped] = readingsOf(text);
  if (plain !== undefined && grouped !== undefined) return null;
  const digits = (plain ?? grouped)?.replaceAll(/\D/g, '');
  const count = Number(digits);
  return digits !== undefined && Number.isSafeInteger(count) ? count : null;
}

/** True if a text is a count that can be read as two. */
export const isAmbiguousCount = (text: string): boolean => readingsOf(text).every((digits) => digits !== undefined);

const readingsOf = (text: string) =>
  [PLAIN, GROUPED].map((form) => (text.length > LONGEST_COUNT ? undefined : form.exec(text)?.[1]));

export const EACH_CONTROL = /\p{Cc}+/gu;

/** A text of one line, and at most so many characters. */
export function lineOf(text: string, max: number): { readonly line: string; readonly isCut: boolean } {
  return upTo(text.replaceAll(EACH_CONTROL, ' ').trim(), max);
}

/** `lineOf` with line ends. */
export function linesOf(text: string, max: number): { readonly line: string; readonly isCut: boolean } {
  const lines = text.split(/\r\n?|\n/).map((line) => line.replaceAll(EACH_CONTROL, ' '));
  return upTo(lines.join('\n').trim(), max);
}

function upTo(text: string, max: number) {
  const line = firstCharacters(text, max);
  return { line, isCut: line !== text };
}

/** The separator of tags that is not known: `|` or `;` if there is one, else a comma. */
export const ANY = 'any';

/** The most tags of a row that are read. */
const MAX_TAGS_READ = 100;

/** The tags of a cell or a list, up to what a link can have, and how many of them are left out. */
export function tagsOf(value: unknown, separator: string): { readonly tags: readonly string[]; readonly left: number } {
  const names = namesIn(value, separator);
  const kept = new Map<string, string>();
  let left = Math.max(0, names.length - MAX_TAGS_READ);
  for (const text of names.slice(0, MAX_TAGS_READ)) {
    const name = tagIn(text);
    const folded = name === null ? '' : foldTag(name);
    if (name === null || (kept.size === MAX_TAGS_OF_LINK && !kept.has(folded))) left += 1;
    else if (!kept.has(folded)) kept.set(folded, name);
  }
  return { tags: [...kept.values()], left };
}

// By hand, since a schema takes a hundred times as long, and a file may have half a million tags.
function tagIn(text: string): string | null {
  const name = text.length > MAX_UNITS_OF_TAG ? null : trimmedName(text);
  if (name === null || name.includes(',') || !WITHOUT_CONTROLS.test(name) || !isSeen(name)) return null;
  return Array.from(name).length > MAX_TAG_CHARACTERS ? null : name;
}

function namesIn(value: unknown, separator: string): string[] {
  const list = Array.isArray(value) ? value : listIn(textOf(value), separator);
  return list.map(nameIn).filter((name) => name !== '');
}

function listIn(text: string, separator: string): readonly unknown[] {
  if (text.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list;
    } catch {
      // A name that begins with a bracket.
    }
  }
  return text.split(separator === ANY ? (['|', ';'].find((it) => text.includes(it)) ?? ',') : separator);
}

// Some lists have objects with a name.
function nameIn(item: unknown): string {
  const name: unknown = typeof item === 'object' && item !== null && 'name' in item ? item.name : item;
  return textOf(name);
}

/** True if a row has nothing in a column. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.trim() === '');
