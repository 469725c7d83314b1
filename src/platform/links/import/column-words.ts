import type { Role } from '../../../links/import/formats/format.ts';
import type { ColumnReport } from '../../../links/import/formats/reading.ts';
import type { PageWords, PlainKey } from '../../words.tsx';
import { isField, labelOf } from '../field-words.ts';

/** The names of the fields that columns become, and the reasons why, for people. */

/** Fields of a row that are none of a link, or have another name there. */
const OTHERS = ['short_url', 'created_at', 'clicks'] as const;

const isOther = (field: string): field is (typeof OTHERS)[number] => OTHERS.some((other) => other === field);

/** The name of a field of a row. */
export function fieldName(words: PageWords, field: string): string {
  if (isOther(field)) return words.text(`imports.of_${field}`);
  return isField(field) ? labelOf(words, field) : field;
}

const OF_ROLE: Readonly<Record<Role, PlainKey>> = {
  url: 'imports.asItIs',
  slug: 'imports.slugKept',
  short_url: 'imports.pathKept',
  custom_short_url: 'imports.pathPreferred',
  domain: 'imports.domainKept',
  title: 'imports.asItIs',
  comments: 'imports.asItIs',
  campaign_name: 'imports.asItIs',
  tags: 'imports.tagsCreated',
  created_at: 'imports.placeKept',
  starts_at: 'imports.asItIs',
  expires_at: 'imports.asItIs',
  ttl: 'imports.ttlRead',
  max_clicks: 'imports.clicksLess',
  limits: 'imports.limitsRead',
  imported_clicks: 'imports.onlyTotals',
  part_of_clicks: 'imports.partOfClicks',
  has_password: 'imports.noPasswords',
  banned: 'imports.bannedDisabled',
  archived: 'imports.archivedDisabled',
  status: 'imports.inactiveDisabled',
  deleted: 'imports.deletedSkipped',
  has_rules: 'imports.noRules',
  utm_source: 'imports.utmAdded',
  utm_medium: 'imports.utmAdded',
  utm_campaign: 'imports.utmAdded',
  utm_term: 'imports.utmAdded',
  utm_content: 'imports.utmAdded',
  ipad_url: 'imports.byDevice',
  ios_url: 'imports.byDevice',
  android_url: 'imports.byDevice',
  desktop_url: 'imports.byDevice',
  countries: 'imports.byCountry',
  expired_url: 'imports.asItIs',
  redirect_status: 'imports.asItIs',
  forward_query: 'imports.queryPassed',
  drop_query: 'imports.queryDropped',
};

/**
 * The reason why a column becomes what it becomes.
 *
 * @param isOwn true for an export of this service
 */
export function reasonOf({ name, role, field }: ColumnReport, isOwn: boolean): PlainKey {
  if (!isOwn) return role === null ? 'imports.noSuchField' : OF_ROLE[role];
  const own = Object.hasOwn(OF_OWN, name) ? OF_OWN[name] : undefined;
  return own ?? (field === null ? 'imports.setItself' : 'imports.asItIs');
}

const OF_OWN: Readonly<Record<string, PlainKey>> = {
  slug: OF_ROLE.slug,
  short_url: 'imports.pathOnlyIfEmpty',
  custom_domain: OF_ROLE.domain,
  tags: OF_ROLE.tags,
  created_at: OF_ROLE.created_at,
  clicks_left: 'imports.clicksLeft',
  has_password: OF_ROLE.has_password,
};
