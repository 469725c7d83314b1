import documented from './new-link-fields.json' with { type: 'json' };

/**
 * The options of `terse create`, one for each field of a new link that is a text, a number or a flag. A field without a
 * row here has an option of the same name, with the description of the API document.
 */

export type FieldName = keyof typeof documented;

interface OwnOption {
  /** Without the dashes; the name of the field with dashes if absent. */
  readonly name?: string;
  readonly value?: string;
  readonly help?: string;
  readonly isNumber?: true;
  /** True if it is asked for, so that it is not in the list of processes. */
  readonly isAskedFor?: true;
}

// Null: not on the command line.
const OWN: { readonly [Name in FieldName]?: OwnOption | null } = {
  slug: { help: 'the path of the short link, for one URL' },
  custom_domain: { name: 'domain', value: 'host', help: 'a custom domain' },
  title: { help: 'a title' },
  comments: { help: 'comments' },
  sec_id: { value: 'id', help: 'the sec_id' },
  external_id: { value: 'id', help: 'an id of your own, for one URL' },
  campaign_name: { name: 'campaign', value: 'name', help: 'a campaign' },
  tags: {
    value: 'names',
    help: 'tags, with commas between',
  },
  metadata: { value: 'json', help: 'metadata, as JSON' },
  starts_at: { name: 'starts', value: 'time', help: 'when the link begins to work: as --expires' },
  expires_at: {
    name: 'expires',
    value: 'time',
    help: 'a time such as 2027-01-31T12:00:00Z, or 30m, 12h, 7d from now',
  },
  password: { help: 'ask for a password for visitors, without showing it', isAskedFor: true },
  max_clicks: { help: 'after how many clicks it expires' },
  expired_url: { value: 'url', help: 'where an expired link leads' },
  fallback: { value: 'url', help: 'where visitors without the app continue' },
  redirect_status: { value: 'status', help: '301, 302, 307 or 308', isNumber: true },
  forward_query: { value: 'how', help: 'pass the query on: keep or override' },
  forward_path: { help: 'pass on the path after the slug' },
  language: { value: 'tag', help: 'the language of its pages, such as de' },
  reuse: { help: 'print an equal link, if there is one, for one URL' },
  // True if left out, so that a flag would say nothing.
  inspectable: null,
};

/** An option of `terse create`, and the field that it sets. */
interface FieldOption {
  readonly field: FieldName;
  /** Such as `--max-clicks`. */
  readonly name: string;
  readonly flags: string;
  readonly help: string;
  readonly isNumber: boolean;
  readonly isAskedFor: boolean;
}

export const FIELD_OPTIONS: readonly FieldOption[] = (Object.keys(documented) as FieldName[]).flatMap((field) => {
  const own = OWN[field];
  const { type, description } = documented[field];
  const isPlain = type === 'string' || type === 'integer' || type === 'boolean';
  if (own === null || (own === undefined && !isPlain)) return [];
  const { name = field.replaceAll('_', '-'), help = description, isAskedFor = false } = own ?? {};
  const { isNumber = type === 'integer' } = own ?? {};
  const { value = isNumber ? 'number' : 'text' } = own ?? {};
  const flags = isAskedFor || type === 'boolean' ? `--${name}` : `--${name} <${value}>`;
  return [{ field, name: `--${name}`, flags, help, isNumber, isAskedFor }];
});
