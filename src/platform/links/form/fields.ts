import * as z from 'zod';
import type { Site } from '../../../network/hosts.ts';
import { lazy } from '../../../isolate/lazy.ts';
import { withLineFeeds } from '../../../links/fields/comments.ts';
import { INSTANT_NAMES, STORED_NAMES, textOf, type StoredName } from '../../../links/fields/content.ts';
import type { LinkField } from '../../../links/fields/field.ts';
import { fieldOf, linkFields } from '../../../links/fields/table.ts';
import type { LinkChange } from '../../../links/link.ts';
import { parseNewLink, type NewLink } from '../../../links/create/new-link.ts';
import { parseLinkChange } from '../../../links/input.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { splitTags } from '../../../links/tags/names.ts';
import { UTM_NAMES, utmFields, withUtm } from '../../../links/destinations/utm.ts';
import { fault, fieldError, parseFields } from '../../../input/validation.ts';
import { readWallTime } from '../../forms/form.ts';
import { toWallTime } from '../../../time/wall-time.ts';
import { isUrl } from '../destination.tsx';
import { wordsOf } from '../routes-in-words.ts';
import { PART_NAMES, readParts, storedParts, takeParts, typedParts } from './parts.ts';
import type { PageWords } from '../../words.tsx';
import { typedUrl } from '../display-url.ts';

/** Converts between the forms of a link and the input of the verbs. */

type Texts = Readonly<Record<string, string>>;

export interface FormContext {
  readonly words: PageWords;
  readonly clientId: string;
  readonly site: Site;
  /** The time zone of the typed times. */
  readonly timeZone: string;
}

/** The target with the UTM parameters of the form. Throws the first fault of these. */
export function targetOf(fields: Texts): string {
  return withUtm(fields['url'] ?? '', parseFields(utmFields(), utmOf(fields)));
}

/** The checkbox by which the form of another link follows. */
export const ANOTHER = 'another';

/** Reads the form of a new link. Throws the first fault, like `parseNewLink`, and `malformed_body`. */
export function readNewLink(fields: Texts, { words, clientId, site, timeZone }: FormContext): NewLink {
  const { parts, rest } = takeParts(fields);
  const typed = Object.entries(rest).filter(([name]) => !isUtm(name) && name !== ANOTHER);
  const read = readParts(words, parts, timeZone);
  const link = {
    ...Object.fromEntries(typed.map(([name, text]) => [name, text === choiceIfAbsent(name) ? '' : text])),
    ...Object.fromEntries(PART_NAMES.map((name) => [name, read[name] == null ? '' : JSON.stringify(read[name])])),
    url: targetOf(fields),
    ...Object.fromEntries(INSTANT_NAMES.map((name) => [name, readWallTime(fields, name, timeZone) ?? ''])),
    client_id: clientId,
  };
  return parseNewLink(link, site, 'form');
}

// The fields with one input each.
const PLAIN_NAMES = STORED_NAMES.filter((name) => !PART_NAMES.some((other) => other === name));

/** The values of a link in the form of an edit. */
export function editValuesOf(words: PageWords, link: ManagedLink, timeZone: string): Record<string, string> {
  const plain = PLAIN_NAMES.map((name) => [name, typedValueOf(name, link, timeZone)]);
  const parts = typedParts(words, storedParts(link), timeZone);
  return { ...Object.fromEntries(plain), ...parts, slug: link.slug, revision: String(link.revision) };
}

function typedValueOf(name: StoredName, link: ManagedLink, timeZone: string): string {
  const text = textOf(name, link);
  if (text === null) return choiceIfAbsent(name) ?? '';
  if (isUrl(name)) return typedUrl(text);
  return linkFields[name].stored === 'instant' ? toWallTime(Date.parse(text), timeZone) : text;
}

/** The text of a field's input that stands for no value, if it is a choice. */
function choiceIfAbsent(name: string): string | undefined {
  const { input } = fieldOf(name) ?? {};
  return input?.kind === 'choice' ? (input.choiceIfAbsent ?? '') : undefined;
}

/** The checkbox that removes the password. */
export const REMOVE_PASSWORD = 'remove_password';

// A field may be absent: a page that was opened before an update lacks new fields.
const editForm = lazy(() =>
  z.strictObject({
    ...Object.fromEntries(
      [...PLAIN_NAMES, 'slug', 'password', REMOVE_PASSWORD].map((name) => [name, z.string().optional()]),
    ),
    revision: z.string().refine((text) => /^\d{1,16}$/.test(text), {
      error: 'must be a number. Open the page of the form again',
      ...fault('malformed_body'),
    }),
  }),
);

/**
 * Reads the form of an edit: only the fields that differ from the link. Absent fields stay. Unchanged values need not
 * be valid today, such as an expiry in the past. Throws the first fault, like `parseLinkChange`, and `malformed_body`.
 */
export function readEdit(
  fields: Texts,
  link: ManagedLink,
  { words, site, timeZone }: Omit<FormContext, 'clientId'>,
): LinkChange {
  const shown = editValuesOf(words, link, timeZone);
  const { parts, rest } = takeParts(fields);
  parseFields(editForm(), rest, { emptyIsAbsent: false });
  const { revision: _, password = '', [REMOVE_PASSWORD]: remove, ...typed } = rest;
  const changed = Object.entries(typed).filter(([name, text]) => !isSame(asShown(name, text), shown[name] ?? ''));
  const values = changed.map(([name, text]) => {
    if (isAbsent(name, text)) return [name, null];
    const instant = INSTANT_NAMES.find((other) => other === name);
    return [name, instant ? readWallTime(typed, instant, timeZone) : valueOf(name, text)];
  });
  const stored = storedParts(link);
  const read = readParts(words, parts, timeZone, stored);
  const former = readParts(words, takeParts(shown).parts, timeZone, stored);
  const changedParts = PART_NAMES.filter((name) => !isEqual(read[name], former[name])).map((name) => [
    name,
    read[name],
  ]);
  const change = Object.fromEntries([...values, ...changedParts, ...passwordChange(password, remove !== undefined)]);
  return parseLinkChange(change, site);
}

// An older page, or a person, may have the encoded form of the URL that is shown.
const asShown = (name: string, text: string): string => (isUrl(name) ? typedUrl(text) : text);

function isAbsent(name: string, text: string): boolean {
  return fieldOf(name)?.isClearable === true && (text === '' || text === choiceIfAbsent(name));
}

/** A text as the JSON of an edit has it. What is no such value stays a text, which the schema of the field refuses. */
function valueOf(name: string, text: string): unknown {
  const { stored }: Partial<LinkField> = fieldOf(name) ?? {};
  if (stored === 'names') return splitTags(text);
  if (stored === 'integer') return /^\d{1,12}$/.test(text) ? Number(text) : text;
  if (stored === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function passwordChange(password: string, isRemoved: boolean): (readonly [string, string | null])[] {
  if (password !== '' && isRemoved) {
    throw fieldError('invalid_password', 'password', 'Leave this empty to remove the password.');
  }
  if (isRemoved) return [['password', null]];
  return password === '' ? [] : [['password', password]];
}

/** The names of the fields in which a form differs from the link. */
export function differingFields(
  words: PageWords,
  fields: Texts,
  link: ManagedLink,
  timeZone: string,
): [name: string, now: string][] {
  const shown = editValuesOf(words, link, timeZone);
  const { parts } = takeParts(fields);
  const stored = storedParts(link);
  const [read, now] = [parts, takeParts(shown).parts].map((each) => readParts(words, each, timeZone, stored));
  const plain = [...PLAIN_NAMES, 'slug'].flatMap((name): [string, string][] => {
    const value = shown[name] ?? '';
    return isSame(fields[name] ?? value, value) ? [] : [[name, value]];
  });
  const differing = PART_NAMES.filter((name) => !isEqual(read?.[name], now?.[name]));
  return [...plain, ...differing.map((name): [string, string] => [name, wordsOf(words, name, stored).join(' · ')])];
}

const isSame = (typed: string, shown: string) => withLineFeeds(typed) === withLineFeeds(shown);

// What a form does not have stays as it is.
const isEqual = (typed: unknown, shown: unknown) =>
  typed === undefined || JSON.stringify(typed) === JSON.stringify(shown);

const isUtm = (name: string) => UTM_NAMES.some((utm) => utm === name);

const utmOf = (fields: Texts) => Object.fromEntries(UTM_NAMES.map((name) => [name, fields[name] ?? '']));
