import * as z from 'zod';
import type { Site } from '../../hosts.ts';
import { AppError } from '../../errors.ts';
import { toInstant } from '../../time/instant.ts';
import type { LinkChange } from '../../links/link.ts';
import { newLinkFields, parseLinkChange, parseNewLink, type NewLink } from '../../links/input.ts';
import type { ManagedLink } from '../../links/managed.ts';
import { UTM_NAMES, utmFields, withUtm } from '../../links/utm.ts';
import { parseFields } from '../../validation.ts';
import { fromWallTime, toWallTime } from '../../time/wall-time.ts';

/** Between the forms of a link and what the verbs take. */

type Texts = Readonly<Record<string, string>>;

export interface FormContext {
  readonly clientId: string;
  readonly site: Site;
  /** The zone of the times that were typed. */
  readonly timeZone: string;
}

/** The target with the UTM parameters that were typed beside it. Throws the first fault of these. */
export function targetOf(fields: Texts): string {
  return withUtm(fields['url'] ?? '', parseFields(utmFields, utmOf(fields)));
}

/** Reads the form of a new link. Throws the first fault, as `parseNewLink` does. */
export function readNewLink(fields: Texts, { clientId, site, timeZone }: FormContext): NewLink {
  const typed = Object.entries(fields).filter(([name]) => !isUtm(name));
  const link = {
    ...Object.fromEntries(typed),
    url: targetOf(fields),
    expires_at: readExpiry(fields['expires_at'] ?? '', timeZone) ?? '',
    client_id: clientId,
  };
  return parseNewLink(link, site, newLinkFields);
}

/** What the form of an edit shows of a link. */
export function editValuesOf(link: ManagedLink, timeZone: string): Record<string, string> {
  return {
    url: link.url,
    slug: link.slug,
    campaign_name: link.campaignName ?? '',
    sec_id: link.secId,
    metadata: link.metadata ?? '',
    expires_at: link.expiresAt === null ? '' : toWallTime(link.expiresAt, timeZone),
    revision: String(link.revision),
  };
}

const editForm = z.strictObject({
  url: z.string(),
  slug: z.string(),
  campaign_name: z.string(),
  sec_id: z.string(),
  metadata: z.string(),
  expires_at: z.string(),
  revision: z.string().regex(/^\d{1,16}$/),
});

const CLEARABLE: ReadonlySet<string> = new Set(['campaign_name', 'metadata', 'expires_at']);

/**
 * Reads the form of an edit: what is typed otherwise than the link has it. What stays as it is need not be valid today, such
 * as an expiry that is past. Throws the first fault, as `parseLinkChange` does.
 */
export function readEdit(
  fields: Texts,
  link: ManagedLink,
  { site, timeZone }: Omit<FormContext, 'clientId'>,
): LinkChange {
  const shown = editValuesOf(link, timeZone);
  const { revision: _, ...typed } = parseFields(editForm, fields, { emptyIsAbsent: false });
  const changed = Object.entries(typed).filter(([name, text]) => !isSame(text, shown[name] ?? ''));
  const values = changed.map(([name, text]) => {
    if (text === '' && CLEARABLE.has(name)) return [name, null];
    return [name, name === 'expires_at' ? readExpiry(text, timeZone) : text];
  });
  return parseLinkChange(Object.fromEntries(values), site);
}

/** The fields, by name, that a form has otherwise than the link is now. */
export function differingFields(fields: Texts, link: ManagedLink, timeZone: string): [name: string, now: string][] {
  const { revision: _, ...shown } = editValuesOf(link, timeZone);
  return Object.entries(shown).filter(([name, now]) => !isSame(fields[name] ?? '', now));
}

// Browsers send line ends as CR LF.
const isSame = (typed: string, shown: string) => typed === shown || typed.replaceAll('\r\n', '\n') === shown;

const isUtm = (name: string) => UTM_NAMES.some((utm) => utm === name);

const utmOf = (fields: Texts) => Object.fromEntries(UTM_NAMES.map((name) => [name, fields[name] ?? '']));

function readExpiry(text: string, timeZone: string): string | null {
  if (text === '') return null;
  const at = fromWallTime(text, timeZone);
  if (at !== null) return toInstant(at);
  throw new AppError('invalid_expires_at', 'expires_at must be a date and a time.', {
    faults: [{ field: 'expires_at', sentence: 'This must be a date and a time.' }],
  });
}
