import { compareCodePoints } from '../../text/code-points.ts';
import { normalizeBounded, MAX_UNITS_OF_CHARACTER } from '../../text/nfc.ts';
import { foldCase } from '../../text/look-alikes.ts';

/** The names of tags, and their forms. */

/** The most characters of a name. */
export const MAX_TAG_CHARACTERS = 50;

/** The most tags that a link can have. */
export const MAX_TAGS_OF_LINK = 20;

/** The most UTF-16 code units of a name before it is composed. */
export const MAX_UNITS_OF_TAG = MAX_TAG_CHARACTERS * MAX_UNITS_OF_CHARACTER;

/** A name without spaces around it, in NFC; null if it is too long to be one. */
export const trimmedName = (text: string): string | null => normalizeBounded(text, MAX_UNITS_OF_TAG)?.trim() ?? null;

/** A name without case: two tags of a client differ in more than that. */
export const foldTag = (name: string): string => foldCase(name);

/** Names in the order of answers, by code points without case, each once in its first spelling. */
export function inOrder(names: readonly string[]): string[] {
  const byFolded = new Map(names.toReversed().map((name) => [foldTag(name), name]));
  return [...byFolded].toSorted(([a], [b]) => compareCodePoints(a, b)).map(([, name]) => name);
}

/** The list as one text, for files and forms: names with commas between, or JSON if that could be taken for JSON. */
export function joinTags(names: readonly string[]): string {
  const text = names.join(', ');
  return text.startsWith('[') ? JSON.stringify(names) : text;
}

/** The names of such a text, as they are written; the text may be JSON too. Its length is bounded by the caller. */
export function splitTags(text: string): unknown {
  if (text.trimStart().startsWith('[')) {
    try {
      return JSON.parse(text);
    } catch {
      // A name that begins with a bracket.
    }
  }
  const names = text.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

/** A list of names as the code holds it: JSON text, or null without any. */
export const toTagList = (names: readonly string[]): string | null =>
  names.length === 0 ? null : JSON.stringify(names);

/** The names of such a text. */
export const namesOf = (list: string | null): readonly string[] => (list === null ? [] : JSON.parse(list));

/** Such a text with the names in the order of `inOrder`. */
export const orderedList = (list: string | null): string | null => {
  const names = namesOf(list);
  return names.length < 2 ? list : toTagList(inOrder(names));
};

/** A text that is equal for lists of the same tags, however they are spelled. */
export const foldedList = (list: string | null): string | null =>
  list === null ? null : JSON.stringify(namesOf(list).map(foldTag));

/** The colours of tags. */
export const TAG_COLOURS = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const;
export type TagColour = (typeof TAG_COLOURS)[number];

/** The colour of a tag for which none is chosen: the same for the same name. */
export function colourOf(name: string): TagColour {
  let hash = 0;
  for (const unit of Buffer.from(foldTag(name))) hash = (hash * 31 + unit) >>> 0;
  return TAG_COLOURS[hash % TAG_COLOURS.length]!;
}

/** A tag that is created if the client has none of this name, as the statements take it. */
interface WantedTag {
  readonly name: string;
  readonly folded: string;
  readonly colour: TagColour;
}

export const wantedTags = (list: string | null): readonly WantedTag[] =>
  namesOf(list).map((name) => ({ name, folded: foldTag(name), colour: colourOf(name) }));
