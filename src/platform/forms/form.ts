import type { Context } from 'hono';
import { AppError, type ErrorCode, type ErrorStatus } from '../../errors.ts';
import { fieldOf } from '../../input/field-errors.ts';
import { MAX_FORM_BYTES, MULTIPART, readFormAs, singleTexts } from '../../http/form.ts';
import { URLENCODED } from '../../http/body.ts';
import { failureHeaders, logFailure } from '../../http/failure.ts';
import { limitLargeBodies } from '../../http/large-body.ts';
import type { InstantName } from '../../links/fields/content.ts';
import { fromWallTime } from '../../time/wall-time.ts';
import type { PlatformEnv } from '../env.ts';
import type { PageWords, Sentence } from '../words.tsx';
import { withReadableHosts } from '../links/display-url.ts';
import { textsOf, TYPED_BY } from './resume-form.ts';

/** A form as a page shows it: the typed values, and their faults. */
export interface FormState {
  /** By field name. */
  readonly values: Readonly<Record<string, string>>;
  /** A sentence for each field with a fault, by field name. */
  readonly faults: Readonly<Record<string, Sentence>>;
  /** A fault of no particular field, or null. */
  readonly complaint: Sentence | null;
  /** A further note of the page about the form. */
  readonly note?: string;
  /** True if it has values that were typed before its page was opened, and are not saved. */
  readonly isUnsaved?: true;
}

/** A form that was not sent yet. */
export function newForm(values: FormState['values'] = {}): FormState {
  return { values, faults: {}, complaint: null };
}

/**
 * Reads the form that a page has sent, one text per field. Throws `unsupported_media_type`, `body_too_large`,
 * `malformed_body`, `repeated_field`.
 */
export async function readFields(c: Context<PlatformEnv>): Promise<Record<string, string>> {
  return readFormAs(c.req.raw, { accepted: [URLENCODED], maxBytes: MAX_FORM_BYTES }, (form) => ownTexts(c, form));
}

/** Like `readFields`, for a form with large texts. Throws `too_many_requests` for large forms. */
export async function readLargeFields(c: Context<PlatformEnv>, maxBytes: number): Promise<Record<string, string>> {
  const admit = () => limitLargeBodies(c);
  return readFormAs(c.req.raw, { accepted: [MULTIPART, URLENCODED], maxBytes, admit }, (form) => ownTexts(c, form));
}

/** Like `readFields`, for a form in which one field may be repeated, such as the checkboxes of the rows of a list. */
export async function readFieldsAndList(
  c: Context<PlatformEnv>,
  list: string,
): Promise<{ fields: Record<string, string>; list: readonly string[] }> {
  return readFormAs(c.req.raw, { accepted: [URLENCODED], maxBytes: MAX_FORM_BYTES }, (form) => {
    const texts = form.getAll(list).filter((value) => typeof value === 'string');
    c.set('sent', textsOf(form));
    form.delete(list);
    form.delete(TYPED_BY);
    return { fields: singleTexts(form), list: texts };
  });
}

/**
 * Like `readFields`, for a `multipart` form with one file, which is null if none was chosen. Throws `too_many_requests`
 * for large forms.
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
    return { fields: ownTexts(c, form), file: chosen && chosen.size > 0 ? chosen : null };
  });
}

/**
 * Reads a `datetime-local` field in the user's time zone as an instant; absent if it is empty. Throws
 * `invalid_<field>`.
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

function ownTexts(c: Context<PlatformEnv>, form: FormData): Record<string, string> {
  c.set('sent', textsOf(form));
  // What a form contains in case its session has expired is not one of its fields.
  form.delete(TYPED_BY);
  return singleTexts(form);
}

export type Submission<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly form: FormState; readonly status: ErrorStatus | 200 };

/**
 * Runs the action of a form. Faults of the form are returned with the form, so that the page can be shown again, and so
 * are a limit and an outage, with the headers of the response. Other failures (an ended session, a page that does not
 * exist) are thrown, and become a page of their own. A form that is only shown again is returned without its action.
 *
 * @example const sent = await submit(c, fields, () => renameKey(db, actor, id, parseFields(keyChangeFields,
 * fields).name)); if (!sent.ok) return page(c, { title, status: sent.status }, <KeyPage form={sent.form} />); return
 * seeOther(c, '/platform/…', 'key-renamed');
 *
 * @param fieldByCode the fields of codes that `fieldOf` does not know
 * @param inputAt the input for a place within a field, such as `rules.0.url`, of a form whose fields have several
 */
export async function submit<T>(
  c: Pick<Context<PlatformEnv>, 'var' | 'header' | 'set'>,
  fields: Readonly<Record<string, string>>,
  work: () => Promise<T>,
  fieldByCode: Partial<Record<ErrorCode, string>> = {},
  inputAt?: (place: string) => string,
): Promise<Submission<T>> {
  const { shownAgain } = c.var;
  if (shownAgain) {
    const { note, passwords } = shownAgain;
    const faults = Object.fromEntries(passwords.map((name) => [name, c.var.words.text('forms.again')]));
    return { ok: false, form: { values: fields, faults, complaint: null, note }, status: 200 };
  }
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    // These lead to pages of their own, and the form is sent from there.
    if (error instanceof AppError && LEADING.has(error.code)) throw error;
    if (!(error instanceof AppError) || !(OF_A_FORM.has(error.status) || passes(c, error))) throw error;
    return {
      ok: false,
      form: { values: fields, ...errorsOf(c.var.words, error, fields, fieldByCode, inputAt) },
      status: error.status,
    };
  }
}

const LEADING: ReadonlySet<ErrorCode> = new Set(['step_up_required', 'factor_required', 'provider_required']);
const OF_A_FORM: ReadonlySet<number> = new Set([400, 403, 409, 410, 412]);

/** True if a form can be sent again later, as it is; the response then says when. */
function passes(c: Pick<Context<PlatformEnv>, 'var' | 'header' | 'set'>, error: AppError): boolean {
  if (c.var.sent === undefined || (error.status !== 429 && error.status !== 503)) return false;
  c.set('failedNow', error);
  logFailure(error, { request_id: c.var.requestId });
  for (const [name, value] of Object.entries(failureHeaders(error))) c.header(name, value);
  return true;
}

// A field that the form does not have cannot show a message, and these faults are never the user's.
const OF_NO_FIELD: ReadonlySet<ErrorCode> = new Set(['unknown_field', 'repeated_field', 'file_field']);

function errorsOf(
  words: PageWords,
  error: AppError,
  fields: Readonly<Record<string, string>>,
  fieldByCode: Partial<Record<ErrorCode, string>>,
  inputAt?: (place: string) => string,
): Pick<FormState, 'faults' | 'complaint'> {
  if (error.faults.length > 0 && !OF_NO_FIELD.has(error.code)) {
    const faults: Record<string, Sentence> = {};
    // Of several faults of a field, the first one is to be fixed first.
    for (const { field, place, sentence } of error.faults) {
      faults[place !== undefined && inputAt ? inputAt(place) : field] ??= besideField(
        words,
        field,
        withReadableHosts(sentence),
      );
    }
    return { faults, complaint: null };
  }
  const sentence = words.said(withReadableHosts(error.message));
  const field = fieldByCode[error.code] ?? fieldOf(error.code);
  return field !== null && Object.hasOwn(fields, field)
    ? { faults: { [field]: sentence }, complaint: null }
    : { faults: {}, complaint: sentence };
}

/** The verb after a field that is the whole subject of its sentence. */
const VERB = /^ (?:must|may|can|cannot|is|has|leads|needs|takes|belongs|does) /;

/** A sentence of the API beside the field that it may begin with, whose name there is not that on the page. */
export function besideField({ said }: PageWords, field: string, sentence: string): Sentence {
  const own = said(sentence);
  const isTranslated = typeof own === 'string' && own !== sentence;
  const rest = sentence.slice(field.length);
  return isTranslated || !sentence.startsWith(field) || !VERB.test(rest) ? own : said(`This${rest}`);
}
