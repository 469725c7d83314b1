import { TextMemo } from '../../text/text-memo.ts';

// Browsers send less than a quarter of this.
const MAX_HEADER = 400;

const memo = new TextMemo(parse, { mostEntries: 2000, mostBytes: 1024 * 1024 });

/**
 * The language that a visitor wants most, as a tag in small letters: the one of the highest weight, and of several such
 * ones the first. Null if the header names none; `*` is none, nor is a language of weight 0. Of a long header only the
 * beginning counts. Source: RFC 9110, section 12.5.4.
 */
export function firstLanguage(header: string | null): string | null {
  if (!header) return null;
  if (header.length <= MAX_HEADER) return memo.of(header);
  // A part of a text would keep all of it in memory, so it is not remembered.
  return parse(header.slice(0, Math.max(0, header.lastIndexOf(',', MAX_HEADER))));
}

const CHOICE = /^[ \t]*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/i;

function parse(header: string): string | null {
  let first: string | null = null;
  let highest = 0;
  for (const choice of header.split(',')) {
    const [, tag, weight = '1'] = CHOICE.exec(choice) ?? [];
    if (tag === undefined || Number(weight) <= highest) continue;
    first = tag.toLowerCase();
    highest = Number(weight);
  }
  return first;
}
