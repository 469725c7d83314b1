import type * as z from 'zod';
import { AppError, STATUS_BY_CODE, type ErrorCode, type Fault } from '../errors.ts';
import { NO_SCHEMES, type Schemes } from '../network/schemes.ts';
import { MAX_QUOTED, quote } from '../text/quote.ts';

/** The values that a caller sent, by field: texts from a form or a query, any JSON value from JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses a caller's fields by a schema, or throws the first fault as an `AppError` that names the field and the remedy.
 * A failed check of the field `x` is `invalid_x`, unless the check names another code with `fault`.
 *
 * @param emptyIsAbsent whether an empty field counts as absent, as in a form; an edit clears a field with null
 * @param schemes the schemes that destinations may have beside http and https, which decide how a typed URL is read
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: Fields,
  { emptyIsAbsent = true, schemes = NO_SCHEMES }: { emptyIsAbsent?: boolean; schemes?: Schemes | undefined } = {},
): z.output<Schema> {
  const given = Object.entries(fields).map(([name, value]) => [
    name,
    emptyIsAbsent && value === '' ? undefined : value,
  ]);
  const parsed = schema.safeParse(Object.fromEntries(given), contextOf(schemes));
  if (parsed.success) return parsed.data;
  throw toAppError(parsed.error);
}

/** Gives a check of a schema another code than `invalid_<field>`. */
export function fault(code: ErrorCode): { readonly params: { readonly code: ErrorCode } } {
  return { params: { code } };
}

/**
 * The control characters (`\p{Cc}` of Unicode) as a part of a class. Spelled out, since the API document publishes
 * these patterns, and regular expressions of many languages have no `\p`.
 */
export const CONTROLS = String.raw`\x00-\x1f\x7f-\x9f`;

export const WITHOUT_CONTROLS = new RegExp(`^[^${CONTROLS}]*$`, 'u');

// Zod hands the context on to each schema; `schemesOf` reads it there.
const contextOf = (schemes: Schemes) => ({ reportInput: true, schemes });

/** The schemes with which `parseFields` was called, in the context that a schema gets; none outside of it. */
export const schemesOf = (context: object): Schemes =>
  'schemes' in context && context.schemes instanceof Set ? context.schemes : NO_SCHEMES;

function toAppError(error: z.ZodError): AppError {
  const [issue] = error.issues;
  if (!issue) throw new TypeError('a failed parse has at least one issue', { cause: error });
  const faults = toFaults(error.issues);
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    return new AppError('unknown_field', noSuchField(issue.keys[0] ?? ''), { faults });
  }
  const field = issue.path.join('.');
  const code = isMissing(issue) ? 'missing_field' : codeOf(issue, field);
  if (!isErrorCode(code)) throw new TypeError(`there is no error code for an invalid ${field}`, { cause: error });
  return new AppError(code, `${field} ${complaintOf(issue)}.`, { faults });
}

/** An error for one field, if its code does not name the field. */
export function fieldError(code: ErrorCode, name: string, sentence: string): AppError {
  return new AppError(code, sentence, { faults: [{ field: name.slice(0, MAX_QUOTED), sentence }] });
}

/** The number of errors that an error response lists, since a request may have thousands of unknown fields. */
export const MAX_FAULTS = 50;

function toFaults(issues: readonly z.core.$ZodIssue[]): Fault[] {
  return issues.slice(0, MAX_FAULTS).flatMap(faultsOf).slice(0, MAX_FAULTS);
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== 'unrecognized_keys' || issue.path.length > 0) {
    const complaint = complaintOf(issue);
    const place = issue.path.join('.');
    const detail = `${place} ${complaint}.`;
    const fault = { field: String(issue.path[0]), sentence: `This ${complaint}.`, detail };
    return [issue.path.length > 1 ? { ...fault, place } : fault];
  }
  const keys = issue.keys.slice(0, MAX_FAULTS);
  return keys.map((key) => ({ field: key.slice(0, MAX_QUOTED), sentence: noSuchField(key) }));
}

function noSuchField(name: string): string {
  return `There is no field ${quote(name)} here. Leave it out.`;
}

function isMissing({ input, code }: z.core.$ZodIssue): boolean {
  return input === undefined && (code === 'invalid_type' || code === 'invalid_value');
}

function complaintOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `must not have the field ${quote(issue.keys[0] ?? '')}`;
  if (isMissing(issue)) return issue.code === 'invalid_type' ? 'is required' : `is required, and ${issue.message}`;
  return issue.code === 'invalid_type' ? `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}` : issue.message;
}

/** Names of JSON types, where the type's own name would not be clear. */
const KINDS: Readonly<Record<string, string>> = {
  array: 'an array',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
};

function codeOf(issue: z.core.$ZodIssue, field: string): string {
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  // A fault within a list or an object counts for the field that holds it.
  return typeof named === 'string' ? named : `invalid_${field.split('.')[0]}`;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(STATUS_BY_CODE, code);
}
