import { ONLY_TOTALS, type Role } from '../../../links/import/formats/format.ts';
import type { ColumnReport } from '../../../links/import/formats/reading.ts';

/** The reason why a column becomes what it becomes, for people: of a file of another service, and of this one. */

const AS_IT_IS = 'Kept as it is.';
const BY_DEVICE = 'Visitors with this device are redirected there, by a rule.';
const ADDED = 'Added to the destination, unless it has one.';

const OF_ROLE: Readonly<Record<Role, string>> = {
  url: AS_IT_IS,
  slug: 'Kept, with its upper and lower case.',
  short_url: 'Its path is the slug. You choose the domain on this page.',
  custom_short_url: 'Preferred to the other short URL, which becomes an alias if it is on the same domain.',
  domain: 'Kept, unless you choose another one on this page.',
  title: AS_IT_IS,
  comments: AS_IT_IS,
  campaign_name: AS_IT_IS,
  tags: 'New tags are created.',
  created_at: 'Lists show the link at its former place.',
  starts_at: AS_IT_IS,
  expires_at: AS_IT_IS,
  ttl: 'Read as a date. A link with another value is created disabled.',
  max_clicks: 'Less the clicks until now.',
  limits: 'A link with limits that cannot be read is created disabled.',
  imported_clicks: ONLY_TOTALS,
  part_of_clicks: 'Counted in the total already, which another column has.',
  has_password: 'The file does not have the passwords: links with one are created disabled.',
  banned: 'Banned links are created disabled.',
  archived: 'Archived links are created disabled.',
  status: 'Links that are not active are created disabled.',
  deleted: 'Deleted links are skipped.',
  has_rules: 'The file does not have the rules.',
  utm_source: ADDED,
  utm_medium: ADDED,
  utm_campaign: ADDED,
  utm_term: ADDED,
  utm_content: ADDED,
  ipad_url: BY_DEVICE,
  ios_url: BY_DEVICE,
  android_url: BY_DEVICE,
  desktop_url: BY_DEVICE,
  countries: 'Visitors from the country are redirected there, by a rule.',
  expired_url: AS_IT_IS,
  redirect_status: AS_IT_IS,
  forward_query: 'Says whether the query of a visit is passed on.',
  drop_query: 'Says whether the query of a visit is not passed on.',
};

/** @param isOwn true for an export of this service */
export function reasonOf({ name, role, field }: ColumnReport, isOwn: boolean): string {
  if (!isOwn) return role === null ? 'Links have no such field here.' : OF_ROLE[role];
  if (Object.hasOwn(OF_OWN, name)) return OF_OWN[name] ?? '';
  return field === null ? 'The service sets it itself.' : AS_IT_IS;
}

const OF_OWN: Readonly<Record<string, string>> = {
  slug: OF_ROLE.slug,
  short_url: 'Read only where the columns of the domain and the slug are empty.',
  custom_domain: OF_ROLE.domain,
  tags: OF_ROLE.tags,
  created_at: OF_ROLE.created_at,
  clicks_left: 'The clicks that are left become the limit of a new link.',
  has_password: OF_ROLE.has_password,
};
