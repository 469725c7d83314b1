/** The `folded` value of a slug on its host, in SQL. `keys` is the `SlugKeys` of the slug, as JSON. */
export function foldedIn(isCaseSensitive: string, keys: string): string {
  return `CASE WHEN ${isCaseSensitive} THEN ${keys} ->> 'exact' ELSE ${keys} ->> 'folded' END`;
}
