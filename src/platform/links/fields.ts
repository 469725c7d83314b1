import * as z from 'zod';
import type { Site } from '../../hosts.ts';
import { INSTANT_NAMES, STORED_NAMES, textOf, type StoredName } from '../../links/fields/content.ts';
import { fieldOf, linkFields } from '../../links/fields/table.ts';
import type { LinkChange } from '../../links/link.ts';
import { newLinkFields, parseLinkChange, parseNewLink, type NewLink } from '../../links/input.ts';
import type { ManagedLink } from '../../links/managed.ts';
import { UTM_NAMES, utmFields, withUtm } from '../../links/utm.ts';
import { fault, parseFields } from '../../validation.ts';
import { readWallTime } from '../form.ts';
import { toWallTime } from '../../time/wall-time.ts';

/** Converts between the forms of a link and the input of the verbs. */

type Texts = Readonly<Record<string, string>>;

export interface FormContext {
  readonly clientId: string;
  readonly site: Site;
  /** The time zone of the typed times. */
  readonly timeZone: string;
}

/** The target with the UTM parameters of the form. Throws the first fault of these. */
export function targetOf(fields: Texts): string {
  return withUtm(fields['url'] ?? '', parseFields(utmFields, utmOf(fields)));
}

/** Reads the form of a new link. Throws the first fault, like `parseNewLink`. */
export function readNewLink(fields: Texts, { clientId, site, timeZone }: FormContext): NewLink {
  const typed = Object.entries(fields).filter(([name]) => !isUtm(name));
  const link = {
    ...Object.fromEntries(typed),
    url: targetOf(fields),
    ...Object.fromEntries(INSTANT_NAMES.map((name) => [name, readWallTime(fields, name, timeZone) ?? ''])),
    client_id: clientId,
  };
  return parseNewLink(link, site, newLinkFields);
}

/** The values of a link in the form of an edit. */
export function editValuesOf(link: ManagedLink, timeZone: string): Record<string, string> {
  const stored = STORED_NAMES.map((name) => [name, typedValueOf(name, link, timeZone)]);
  return { ...Object.fromEntries(stored), slug: link.slug, revision: String(link.revision) };
}

function typedValueOf(name: StoredName, link: ManagedLink, timeZone: string): string {
  const text = textOf(name, link);
  return text !== null && linkFields[name].stored === 'instant' ? toWallTime(Date.parse(text), timeZone) : (text ?? '');
}

// A field may be absent: a page that was opened before an update lacks new fields.
const editForm = z.strictObject({
  ...Object.fromEntries(STORED_NAMES.map((name) => [name, z.string().optional()])),
  slug: z.string().optional(),
  revision: z.string().refine((text) => /^\d{1,16}$/.test(text), {
    error: 'must be a number. Open the page of the form again',
    ...fault('malformed_body'),
  }),
});

/**
 * Reads the form of an edit: only the fields that differ from the link. Absent fields stay. Unchanged values need not
 * be valid today, such as an expiry in the past. Throws the first fault, like `parseLinkChange`.
 */
export function readEdit(
  fields: Texts,
  link: ManagedLink,
  { site, timeZone }: Omit<FormContext, 'clientId'>,
): LinkChange {
  const shown = editValuesOf(link, timeZone);
  parseFields(editForm, fields, { emptyIsAbsent: false });
  const { revision: _, ...typed } = fields;
  const changed = Object.entries(typed).filter(([name, text]) => !isSame(text, shown[name] ?? ''));
  const values = changed.map(([name, text]) => {
    if (text === '' && fieldOf(name)?.isClearable) return [name, null];
    const instant = INSTANT_NAMES.find((other) => other === name);
    return [name, instant ? readWallTime(typed, instant, timeZone) : text];
  });
  return parseLinkChange(Object.fromEntries(values), site);
}

/** The names of the fields in which a form differs from the link. */
export function differingFields(fields: Texts, link: ManagedLink, timeZone: string): [name: string, now: string][] {
  const { revision: _, ...shown } = editValuesOf(link, timeZone);
  return Object.entries(shown).filter(([name, now]) => !isSame(fields[name] ?? now, now));
}

// Browsers read CR, LF and CR LF as one line end each, and send each as CR LF.
const withLineFeeds = (text: string) => text.replaceAll(/\r\n?/g, '\n');
const isSame = (typed: string, shown: string) => withLineFeeds(typed) === withLineFeeds(shown);

const isUtm = (name: string) => UTM_NAMES.some((utm) => utm === name);

const utmOf = (fields: Texts) => Object.fromEntries(UTM_NAMES.map((name) => [name, fields[name] ?? '']));
