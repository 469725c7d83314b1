/** What a column of another service's export becomes. Those with the name of a field become that field. */
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
  /** The limit of all clicks, those before included. */
  | 'max_clicks'
  /** An object with the dates and the limit: what is none cannot be read. */
  | 'limits'
  | 'imported_clicks'
  | 'has_password'
  | 'banned'
  | 'archived'
  /** A word such as "active". */
  | 'status'
  | 'deleted'
  /** Whether the link has rules that the file does not have. */
  | 'has_rules';

/** The files that another service exports. Names of columns are in lower case, with `_` for blanks. */
export interface Format {
  /** The value of `from`. */
  readonly id: string;
  readonly name: string;
  /** Lists of columns: a file that has all columns of a list is recognised. */
  readonly needs: readonly (readonly string[])[];
  /** In JSON a column within an object has the names of both: `meta.maxvisits`. */
  readonly columns: Readonly<Record<string, Role>>;
  /** The hosts that all customers of the service share: none of them can verify such a domain, or one below it. */
  readonly hosts?: readonly string[];
  /** Between the tags of a cell; a comma if absent. */
  readonly tagSeparator?: string;
  /** What the file lacks or cannot keep, for people. */
  readonly notes: readonly string[];
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

/** What is true of all services. */
export const ONLY_TOTALS =
  'Clicks are kept as a total, in imported_clicks. The file has no history of single clicks, so the statistics begin now.';
