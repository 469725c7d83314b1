import { parseAccept } from 'hono/utils/accept';

/**
 * Which of the two an `Accept` header would rather have, JSON or a page; null where it leaves that open, as a header
 * that is not there does. A type has the weight of the most precise range that it is in (RFC 9110, section 12.5.1); of
 * two with the same weight the one that is named wins, then the one named first.
 */
export function preferredOf(accept: string): 'json' | 'page' | null {
  const ranges = parseAccept(accept).map(({ type, q }) => ({ range: type.toLowerCase(), weight: q }));
  const [json, page] = [claimOf('application/json', ranges), claimOf('text/html', ranges)];
  if (json.weight === 0 && page.weight === 0) return null;
  const lead = json.weight - page.weight || json.precision - page.precision || page.place - json.place;
  if (lead === 0) return null;
  return lead > 0 ? 'json' : 'page';
}

function claimOf(type: string, ranges: readonly { readonly range: string; readonly weight: number }[]) {
  const rising = ['*/*', type.replace(/\/.*/, '/*'), type];
  return ranges
    .map(({ range, weight }, place) => ({ precision: rising.indexOf(range), weight, place }))
    .reduce((best, claim) => (claim.precision > best.precision ? claim : best), NO_CLAIM);
}

const NO_CLAIM = { precision: -1, weight: 0, place: -1 };
