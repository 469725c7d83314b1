import type { Role } from './formats/format.ts';

/** The fields that a caller can map, each with what a column becomes. */
export const MAPPABLE = {
  url: 'url',
  slug: 'slug',
  short_url: 'short_url',
  title: 'title',
  tags: 'tags',
  created_at: 'created_at',
  expires_at: 'expires_at',
  clicks: 'imported_clicks',
} as const satisfies Readonly<Record<string, Role>>;

export type Mapping = { readonly [Name in keyof typeof MAPPABLE]?: string | undefined };

/**
 * Reads what a caller wrote in the arguments of a command, such as `url=Long link`, as parameters of an import. Returns a
 * sentence if it is not valid.
 */
export function readMapping(words: readonly string[]): Readonly<Record<string, string>> | string {
  const mapping: Record<string, string> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    const field = word.slice(0, at);
    if (at === -1 || !Object.hasOwn(MAPPABLE, field) || at === word.length - 1) {
      return `--map takes a field and a column, such as url="Long link"; the fields are ${Object.keys(MAPPABLE).join(', ')}.`;
    }
    if (Object.hasOwn(mapping, `map_${field}`)) return `--map names two columns for ${field}.`;
    mapping[`map_${field}`] = word.slice(at + 1);
  }
  return mapping;
}

/** The advice for a file that was not recognised, in errors of the API; pages and commands have their own. */
export const SAY_WHAT_IT_IS =
  'If another service has written the file, name it with from, such as from=bitly, or name its columns with map_url, ' +
  'map_slug and others, such as map_url=COLUMN.';

/** `SAY_WHAT_IT_IS` for a file that begins with a URL, in errors of the API and of commands. */
export const SAY_LIST = 'If each of its lines is a URL, name it with from=url_list.';

/** `SAY_WHAT_IT_IS` for errors of commands. */
export const SAY_BY_OPTIONS =
  'If another service has written the file, name it with --from, such as --from bitly, or name its columns with --map, ' +
  'such as --map url="Long link".';
