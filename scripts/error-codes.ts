import { STATUS_BY_CODE } from '../src/errors.ts';
import { FIELD_NAMES } from '../src/links/fields/table.ts';
import { UsageError } from './cli-error.ts';
import { codesOf } from './reference/codes.ts';
import type { Endpoint } from './reference/endpoint.ts';

/** The codes in `src/errors.ts` that come from the descriptions of endpoints and from the fields of links. */

/** Finds the codes of these endpoints, and of the fields of links, that the service does not have yet. */
export function missingCodes(endpoints: readonly Endpoint[]): readonly string[] {
  const codes = [...endpoints.flatMap((endpoint) => [...codesOf(endpoint)]), ...FIELD_NAMES.map(codeOfField)];
  return [...new Set(codes)].filter((code) => !Object.hasOwn(STATUS_BY_CODE, code));
}

const codeOfField = (name: string) => `invalid_${name}`;

/**
 * The text of `errors.ts` with more codes, each after the last one of its kind. Throws `UsageError` for a code whose
 * status does not follow from its name.
 */
export function withCodes(text: string, codes: readonly string[]): string {
  const lines = text.split('\n');
  for (const code of codes) {
    const [, status, last] = KINDS.find(([name]) => name.test(code)) ?? [];
    if (status === undefined) throw new UsageError(`${code} has no status: add it to src/errors.ts.`);
    lines.splice(lines.findLastIndex((line) => last?.test(line)) + 1, 0, `  ${code}: ${status},`);
  }
  return lines.join('\n');
}

/** The codes whose names say their status, and the lines after which they stand. */
const KINDS: readonly (readonly [name: RegExp, status: number, last: RegExp])[] = [
  [/^invalid_/, 400, /^ {2}invalid_\w+: 400,$/],
  [/^too_many_|_taken$|_in_use$/, 409, /^ {2}\w+: 409,$/],
];
