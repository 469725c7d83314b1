import type { Fault } from '../errors.ts';

/** A URL that visitors may be sent to, and the field that names it, such as `url` or `rules.0.url`. */
export interface Destination {
  readonly field: string;
  readonly url: URL;
}

/**
 * The fault of a URL in a request.
 *
 * @param place a field such as `url`, or a place in one, such as `rules.0.url`
 * @param complaint the sentence without its subject
 */
export function faultAt(place: string, complaint: string): Fault {
  const [field = ''] = place.split('.', 1);
  const detail = `${place} ${complaint}`;
  return field === place ? { field, sentence: detail } : { field, place, sentence: `This ${complaint}`, detail };
}
