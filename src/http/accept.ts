import { parseAccept } from 'hono/utils/accept';

/**
 * Which of the two an `Accept` header prefers, JSON or a page; null if it prefers neither, or is absent. A type has the
 * weight of the most precise range that matches it (RFC 9110, section 12.5.1). With equal weights the type in the more
 * precise range is preferred, then the one in the earlier range.
 */
export function preferredOf(accept: string): 'json' | 'page' | null {
  const ranges = rangesOf(accept);
  const [json, page] = [claimOf('application/json', ranges), claimOf('text/html', ranges)];
  if (json.weight === 0 && page.weight === 0) return null;
  const lead = json.weight - page.weight || json.precision - page.precision || page.place - json.place;
  if (lead === 0) return null;
  return lead > 0 ? 'json' : 'page';
}

/** True if an `Accept` header allows JSON; without one, everything is allowed. */
export function acceptsJson(accept: string | undefined): boolean {
  return !accept || claimOf('application/json', rangesOf(accept)).weight > 0;
}

/** The media type of problem details (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/**
 * True if the `Accept` header asks for failures as problem details: it must name their type, with no less weight than
 * JSON or HTML. A wildcard does not count.
 */
export function wantsProblem(accept: string): boolean {
  // Few requests name the type; the others need no parsing.
  if (!accept.toLowerCase().includes(PROBLEM_TYPE)) return false;
  const ranges = rangesOf(accept);
  const weightOf = (type: string) =>
    Math.max(0, ...ranges.filter(({ range }) => range === type).map((each) => each.weight));
  const weight = weightOf(PROBLEM_TYPE);
  return weight > 0 && weight >= weightOf('application/json') && weight >= weightOf('text/html');
}

function rangesOf(accept: string): { readonly range: string; readonly weight: number }[] {
  return parseAccept(accept).map(({ type, q }) => ({ range: type.toLowerCase(), weight: q }));
}

function claimOf(type: string, ranges: readonly { readonly range: string; readonly weight: number }[]) {
  const rising = ['*/*', type.replace(/\/.*/, '/*'), type];
  return ranges
    .map(({ range, weight }, place) => ({ precision: rising.indexOf(range), weight, place }))
    .reduce((best, claim) => (claim.precision > best.precision ? claim : best), NO_CLAIM);
}

const NO_CLAIM = { precision: -1, weight: 0, place: -1 };
