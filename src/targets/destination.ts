/** A URL that visitors may be sent to, and the field that names it, such as `url` or `rules.0.url`. */
export interface Destination {
  readonly field: string;
  readonly url: URL;
}

/** The field of the request that a place is in: `rules` for `rules.0.url`. */
export const topOf = (place: string): string => place.split('.', 1)[0] ?? place;
