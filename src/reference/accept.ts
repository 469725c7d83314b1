import { parseAccept } from 'hono/utils/accept';

/**
 * Whether an `Accept` header wants JSON rather than a page. A type has the weight of the most precise range that it is in
 * (RFC 9110, section 12.5.1); of two with the same weight the one that is named wins, then the one named first. What
 * leaves both open is answered by the page.
 */
export function prefersJson(accept: string): boolean {
  const ranges = parseAccept(accept).map(({ type, q }) => ({ range: type.toLowerCase(), weight: q }));
  const [json, page] = [claimOf('application/json', ranges), claimOf('text/html', ranges)];
  if (json.weight !== page.weight) return json.weight > page.weight;
  if (json.precision !== page.precision) return json.weight > 0 && json.precision > page.precision;
  return json.place < page.place && json.weight > 0;
}

function claimOf(type: string, ranges: readonly { readonly range: string; readonly weight: number }[]) {
  const rising = ['*/*', type.replace(/\/.*/, '/*'), type];
  return ranges
    .map(({ range, weight }, place) => ({ precision: rising.indexOf(range), weight, place }))
    .reduce((best, claim) => (claim.precision > best.precision ? claim : best), NO_CLAIM);
}

const NO_CLAIM = { precision: -1, weight: 0, place: -1 };
