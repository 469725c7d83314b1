import type { Context } from 'hono';
import { AppError, fieldOf, type ErrorCode, type ErrorStatus } from '../errors.ts';
import { MAX_FORM_BYTES, MULTIPART, readFormAs, singleTexts, URLENCODED } from '../http/form.ts';
import { limitLargeBodies } from '../http/large-body.ts';
import type { InstantName } from '../links/fields/content.ts';
import { fromWallTime } from '../time/wall-time.ts';
import type { PlatformEnv } from './env.ts';

/** A form as a page shows it: what was typed, and what is wrong with it. */
export interface FormState {
  /** By the name of the field. */
  readonly values: Readonly<Record<string, string>>;
  /** A sentence by the name of the field. */
  readonly faults: Readonly<Record<string, string>>;
  /** What is wrong with no field in particular, or null. */
  readonly complaint: string | null;
}

/** A form that nobody has sent yet. */
export function newForm(values: FormState['values'] = {}): FormState {
  return { values, faults: {}, complaint: null };
}

/**
 * Reads the form that a page has sent, one text per field. Throws `unsupported_media_type`, `body_too_large`,
 * `malformed_body`, `repeated_field`.
 */
export async function readFields(c: Context<PlatformEnv>): Promise<Record<string, string>> {
  return readFormAs(c.req.raw, { accepted: [URLENCODED], maxBytes: MAX_FORM_BYTES }, singleTexts);
}

/** The same for a form in which one field, such as the boxes beside the rows of a list, may come any number of times. */
export async function readFieldsAndList(
  c: Context<PlatformEnv>,
  list: string,
): Promise<{ fields: Record<string, string>; list: readonly string[] }> {
  return readFormAs(c.req.raw, { accepted: [URLENCODED], maxBytes: MAX_FORM_BYTES }, (form) => {
    const texts = form.getAll(list).filter((value) => typeof value === 'string');
    form.delete(list);
    return { fields: singleTexts(form), list: texts };
  });
}

/**
 * The same for a `multipart` form with one file; null if none was chosen. Throws `too_many_requests` for large forms.
 */
export async function readFieldsAndFile(
  c: Context<PlatformEnv>,
  file: string,
  maxBytes: number,
): Promise<{ fields: Record<string, string>; file: File | null }> {
  const admit = () => limitLargeBodies(c);
  return readFormAs(c.req.raw, { accepted: [MULTIPART], maxBytes, admit }, (form) => {
    const chosen = form.getAll(file).find((value) => typeof value !== 'string');
    form.delete(file);
    return { fields: singleTexts(form), file: chosen && chosen.size > 0 ? chosen : null };
  });
}

/**
 * Reads a `datetime-local` on the clocks of the user's zone, as the verbs take instants; absent where it was left empty.
 * Throws `invalid_<field>`.
 */
export function readWallTime(
  fields: Readonly<Record<string, string>>,
  field: InstantName,
  timeZone: string,
): string | undefined {
  const text = fields[field] ?? '';
  if (text === '') return undefined;
  const at = fromWallTime(text, timeZone);
  if (at !== null) return new Date(at).toISOString();
  const sentence = 'This must be a day and a time, such as 2027-12-31T18:00.';
  throw new AppError(`invalid_${field}`, sentence, { faults: [{ field, sentence }] });
}

export type Submission<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly form: FormState; readonly status: ErrorStatus };

/**
 * Does what a form asks for. A fault of the form is given back as a form that says so, for the page to be shown again;
 * what is no fault of the form (a session that has ended, an outage, a limit) is thrown on, and becomes a page of its
 * own.
 *
 * @example const sent = await submit(fields, () => renameKey(db, actor, id, parseFields(keyChangeFields,
 * fields).name)); if (!sent.ok) return page(c, { title, status: sent.status }, <KeyPage form={sent.form} />); return
 * seeOther(c, '/platform/…', 'key-renamed');
 *
 * @param fieldByCode the fields of codes that `fieldOf` does not know
 */
export async function submit<T>(
  fields: Readonly<Record<string, string>>,
  work: () => Promise<T>,
  fieldByCode: Partial<Record<ErrorCode, string>> = {},
): Promise<Submission<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof AppError) || !OF_A_FORM.has(error.status)) throw error;
    return { ok: false, form: { values: fields, ...errorsOf(error, fields, fieldByCode) }, status: error.status };
  }
}

const OF_A_FORM: ReadonlySet<number> = new Set([400, 403, 409, 410, 412]);

// A field that the form does not have cannot show a message, and no form has these faults of itself.
const OF_NO_FIELD: ReadonlySet<ErrorCode> = new Set(['unknown_field', 'repeated_field', 'file_field']);

function errorsOf(
  error: AppError,
  fields: Readonly<Record<string, string>>,
  fieldByCode: Partial<Record<ErrorCode, string>>,
): Pick<FormState, 'faults' | 'complaint'> {
  if (error.faults.length > 0 && !OF_NO_FIELD.has(error.code)) {
    const faults: Record<string, string> = {};
    // Of several faults of a field the first is the one to mend first.
    for (const { field, sentence } of error.faults) faults[field] ??= sentence;
    return { faults, complaint: null };
  }
  const field = fieldByCode[error.code] ?? fieldOf(error.code);
  return field !== null && Object.hasOwn(fields, field)
    ? { faults: { [field]: error.message }, complaint: null }
    : { faults: {}, complaint: error.message };
}
