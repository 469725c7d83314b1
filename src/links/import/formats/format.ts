import type { UtmName } from '../../destinations/utm.ts';

/** The role of a column of another service's export. Those with the name of a field become that field. */
export type Role =
  | 'url'
  | 'slug'
  /** The short URL: its host, and its slug unless a column has it. */
  | 'short_url'
  /** A second short URL of the link, on a domain of the customer, which is preferred. */
  | 'custom_short_url'
  /** The host of the short URL. */
  | 'domain'
  | 'title'
  | 'comments'
  | 'campaign_name'
  | 'tags'
  | 'created_at'
  | 'starts_at'
  | 'expires_at'
  /** An expiry date in ISO 8601 or in milliseconds since 1970: another number can be a duration. */
  | 'ttl'
  /** The limit of all clicks, those before included. */
  | 'max_clicks'
  /** An object with the dates and the limit: what is none cannot be read. */
  | 'limits'
  | 'imported_clicks'
  /** Clicks of one kind: they are in the total of another column, and are not counted again. */
  | 'part_of_clicks'
  | 'has_password'
  | 'banned'
  | 'archived'
  /** A word such as "active". */
  | 'status'
  | 'deleted'
  /** Rules of the link that the file does not have. */
  | 'has_rules'
  /** Parameters that are added to the destination. */
  | UtmName
  /** Destinations of some visitors, which become rules. */
  | DeviceRole
  /** An object with a destination for each country. */
  | 'countries'
  | 'expired_url'
  | 'redirect_status'
  /** True if the query of a visit is passed on, and wins. */
  | 'forward_query'
  /** The reverse: whether it is not passed on. */
  | 'drop_query';

/** The roles of destinations by device. */
export type DeviceRole = 'ipad_url' | 'ios_url' | 'android_url' | 'desktop_url';

/** The field that such a column becomes; null if it is not kept. */
export const FIELD_OF_ROLE: Readonly<Record<Role, string | null>> = {
  url: 'url',
  slug: 'slug',
  short_url: 'slug',
  custom_short_url: 'slug',
  domain: 'custom_domain',
  title: 'title',
  comments: 'comments',
  campaign_name: 'campaign_name',
  tags: 'tags',
  created_at: 'created_at',
  starts_at: 'starts_at',
  expires_at: 'expires_at',
  ttl: 'expires_at',
  max_clicks: 'max_clicks',
  imported_clicks: 'imported_clicks',
  part_of_clicks: 'imported_clicks',
  has_password: 'disabled',
  banned: 'disabled',
  archived: 'disabled',
  status: 'disabled',
  deleted: null,
  limits: null,
  has_rules: null,
  utm_source: 'url',
  utm_medium: 'url',
  utm_campaign: 'url',
  utm_term: 'url',
  utm_content: 'url',
  ipad_url: 'rules',
  ios_url: 'rules',
  android_url: 'rules',
  desktop_url: 'rules',
  countries: 'rules',
  expired_url: 'expired_url',
  redirect_status: 'redirect_status',
  forward_query: 'forward_query',
  drop_query: 'forward_query',
};

/** A sentence about a file. */
type FormatNote =
  | string
  | {
      readonly text: string;
      /** It is not said of a file that has one of these columns. */
      readonly unless: readonly string[];
      /** True if it is said only of a file whose links pass the query of a visit on. */
      readonly ofForwarding?: true;
    };

/** The files that another service exports. Names of columns are in lower case, with `_` for blanks. */
export interface Format {
  /** The value of `from`. */
  readonly id: string;
  readonly name: string;
  /** Which of its files are recognised, with their versions, for the documentation. */
  readonly file: string;
  /** Lists of columns: a file that has all columns of a list is recognised. */
  readonly needs: readonly (readonly string[])[];
  /** A file of these columns alone, with this separator, is recognised even if this service has columns of such names. */
  readonly alone?: { readonly columns: readonly string[]; readonly separator: string };
  /** In JSON a column within an object has the names of both: `meta.maxvisits`. */
  readonly columns: Readonly<Record<string, Role>>;
  /** The hosts that all customers of the service share: none of them can verify such a domain, or one below it. */
  readonly hosts?: readonly string[];
  /** Between the tags of a cell; a comma if absent. */
  readonly tagSeparator?: string;
  /** By role, values that stand for none, such as -1 for no limit. */
  readonly none?: { readonly [Name in Role]?: readonly string[] };
  /** True if links pass the query of a visit on if no column says it. */
  readonly forwardsQuery?: boolean;
  /** Lists of columns: in a file that has all columns of a list, they do. */
  readonly forwardsQueryOf?: readonly (readonly string[])[];
  /** By column, the note of a row in which it is set and that is not kept. */
  readonly dropped?: Readonly<Record<string, string>>;
  /** Why no link is created for a destination, or null. */
  readonly refusalOf?: (destination: string) => string | null;
  /** The notes on what the file lacks or cannot keep, for people. Each format says that clicks are only a total. */
  readonly notes: readonly FormatNote[];
}

/**
 * Columns that say of a link that not everybody may open it. They count in a file of each service, and in one whose
 * columns are mapped, so that no choice of the caller but `unprotected` makes such a link public.
 */
export const PROTECTING: Readonly<Record<string, Role>> = {
  password: 'has_password',
  has_password: 'has_password',
  haspassword: 'has_password',
  banned: 'banned',
  disabled: 'archived',
};

/** True if a file has all columns of one of these lists. */
export const hasAllOfOne = (lists: readonly (readonly string[])[], columns: { has(name: string): boolean }): boolean =>
  lists.some((list) => list.every((name) => columns.has(name)));

/** The note that is true of all files with clicks. */
export const ONLY_TOTALS =
  'Clicks are kept as a total. The file has no history of single clicks, so the statistics begin now.';

export const NO_HOST = 'The file does not name the host of the links: choose one.';
