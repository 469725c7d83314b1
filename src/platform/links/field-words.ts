import { LANGUAGES } from '../../languages/list.ts';
import { PASSWORD_CHARACTERS } from '../../links/fields/password.ts';
import type { FieldName } from '../../links/fields/table.ts';
import type { PageWords, PlainKey } from '../words.tsx';

/** The fields of a link in words. */

const LABELS: Readonly<Record<FieldName, PlainKey>> = {
  url: 'linkForm.url',
  slug: 'linkForm.slug',
  custom_domain: 'linkForm.customDomain',
  title: 'linkForm.title',
  comments: 'linkForm.comments',
  sec_id: 'linkForm.secId',
  external_id: 'linkForm.externalId',
  campaign_name: 'linkForm.campaignName',
  tags: 'linkForm.tags',
  metadata: 'linkForm.metadata',
  starts_at: 'linkForm.startsAt',
  expires_at: 'linkForm.expiresAt',
  password: 'linkForm.password',
  max_clicks: 'linkForm.maxClicks',
  expired_url: 'linkForm.expiredUrl',
  rules: 'linkForm.rules',
  variants: 'linkForm.variants',
  fallback: 'linkForm.fallback',
  redirect_status: 'linkForm.redirectStatus',
  forward_query: 'linkForm.forwardQuery',
  forward_path: 'linkForm.forwardPath',
  preview: 'linkForm.preview',
  inspectable: 'linkForm.inspectable',
  ask_first: 'linkForm.askFirst',
  language: 'linkForm.language',
  check_destination: 'linkForm.checkDestination',
  imported_clicks: 'linkForm.importedClicks',
  disabled: 'linkForm.disabled',
  aliases: 'linkForm.aliases',
};

/** True if a field of links has this name. */
export const isField = (name: string): name is FieldName => Object.hasOwn(LABELS, name);

/** The name of a field on the pages. */
export const labelOf = ({ text }: PageWords, name: FieldName): string => text(LABELS[name]);

/** A hint that is said to the user of a form, whose clocks are in a time zone. */
type Hint = PlainKey | ((words: PageWords, zone: string) => string);

const HINTS: Readonly<Partial<Record<FieldName, Hint>>> = {
  comments: 'linkForm.commentsHint',
  sec_id: 'linkForm.secIdHint',
  external_id: 'linkForm.externalIdHint',
  campaign_name: 'linkForm.campaignNameHint',
  tags: 'linkForm.tagsHint',
  metadata: ({ text }) => text('linkForm.metadataHint', { example: '{"team":"web"}' }),
  starts_at: ({ text }, zone) => text('linkForm.startsAtHint', { zone }),
  expires_at: ({ text }, zone) => text('linkForm.expiresAtHint', { zone }),
  password: ({ text }) => text('linkForm.passwordHint', PASSWORD_CHARACTERS),
  max_clicks: 'linkForm.maxClicksHint',
  expired_url: 'linkForm.expiredUrlHint',
  fallback: 'linkForm.fallbackHint',
  redirect_status: 'linkForm.redirectStatusHint',
  forward_query: 'linkForm.forwardQueryHint',
  forward_path: 'linkForm.forwardPathHint',
  inspectable: 'linkForm.inspectableHint',
  ask_first: 'linkForm.askFirstHint',
  language: 'linkForm.languageHint',
  check_destination: 'linkForm.checkDestinationHint',
};

/** The hints of an edit that differ. */
const EDIT_HINTS: typeof HINTS = {
  sec_id: 'linkForm.secIdEditHint',
  campaign_name: 'linkForm.campaignNameEditHint',
  metadata: 'linkForm.metadataEditHint',
  expires_at: ({ text }, zone) => text('linkForm.expiresAtEditHint', { zone }),
  password: 'linkForm.passwordEditHint',
};

/** The hint of a field in the form of a new link, or else of an edit. */
export function hintOf(words: PageWords, name: FieldName, isNew: boolean, timeZone: string): string | undefined {
  const hint = isNew ? HINTS[name] : (EDIT_HINTS[name] ?? HINTS[name]);
  if (typeof hint === 'function') return hint(words, timeZone.replaceAll('_', ' '));
  return hint === undefined ? undefined : words.text(hint);
}

const FLAG: Readonly<Record<string, PlainKey>> = { false: 'linkForm.no', true: 'linkForm.yes' };

/** The values of the fields that are a choice, in the order of the form. */
const CHOICES: Readonly<Partial<Record<FieldName, Readonly<Record<string, PlainKey>>>>> = {
  redirect_status: {
    301: 'linkForm.movedPermanently',
    302: 'linkForm.found',
    307: 'linkForm.temporaryRedirect',
    308: 'linkForm.permanentRedirect',
  },
  forward_query: { '': 'linkForm.no', keep: 'linkForm.queryKept', override: 'linkForm.queryOverrides' },
  forward_path: FLAG,
  inspectable: { true: 'linkForm.yes', false: 'linkForm.no' },
  ask_first: FLAG,
  check_destination: { '': 'linkForm.checkedAsWorkspace', true: 'linkForm.yes', false: 'linkForm.no' },
};

/** The texts of the values of a field that is a choice. */
export function choicesOf(words: PageWords, name: FieldName): Readonly<Record<string, string>> {
  const { text } = words;
  if (name === 'language') return { '': text('linkForm.browserLanguage'), ...languagesIn(words) };
  return Object.fromEntries(Object.entries(CHOICES[name] ?? {}).map(([value, key]) => [value, text(key)]));
}

function languagesIn({ language }: PageWords): Record<string, string> {
  const entries = Object.entries(LANGUAGES);
  if (language === 'en') return Object.fromEntries(entries.map(([tag, { name }]) => [tag, name]));
  const names = new Intl.DisplayNames(language, { type: 'language' });
  return Object.fromEntries(entries.map(([tag, { name }]) => [tag, names.of(tag) ?? name]));
}
