import { FIELD_OPTIONS } from './create-options.ts';
import { plain, plainJson } from './text.ts';

/** The exit codes of the command. */
export const EXIT = {
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  unavailable: 5,
  interrupted: 130,
  terminated: 143,
} as const;

/** An error in one option or field. */
export interface FieldFault {
  readonly field: string;
  readonly detail: string;
}

interface FailureDetails {
  /** One of `EXIT`. */
  readonly exit?: number;
  /** The code of the API, or one of the command's own. */
  readonly code?: string;
  readonly status?: number | null;
  readonly fields?: readonly FieldFault[];
  /** The cure, as a sentence. */
  readonly remedy?: string | null;
  readonly requestId?: string | null;
  /** The URL that it is about. */
  readonly url?: string;
  /** The line of stdin that is wrong, or with which to continue; the first is 1. Absent for what was not on stdin. */
  readonly line?: number;
  /** The place that the sentence is about, such as "Line 2", if it does not name it. JSON has fields for it. */
  readonly place?: string;
}

/** A failure that is shown as a sentence, without a stack. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly details: FailureDetails;

  constructor(message: string, details: FailureDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

/** A mistake in the arguments. */
export function usageFailure(message: string): Failure {
  return new Failure(message, { exit: EXIT.usage, code: 'usage' });
}

/** Prints an error to stderr, as text or as JSON, and returns the exit code. */
export function report(error: unknown, isJson: boolean): number {
  const failure = error instanceof Failure ? error : new Failure(sentenceOf(error), { code: 'internal' });
  console.error(isJson ? plainJson(toJson(failure)) : toText(failure));
  return failure.details.exit ?? EXIT.failed;
}

/** A failure as the object that `--json` prints. */
export function toJson({ message, details }: Failure): object {
  const { code = 'failed', status = null, fields = [], remedy = null, requestId = null, url, line } = details;
  const subject = { ...(url !== undefined && { url }), ...(line !== undefined && { line }) };
  return { error: { code, message, status, fields, remedy, request_id: requestId, ...subject } };
}

/** A failure as lines for a terminal. */
export function toText({ message, details }: Failure): string {
  const { fields = [], place, remedy, requestId } = details;
  const sentence = place === undefined ? message : `${place}: ${message}`;
  const lines = [`terse: ${sentence}`, ...fields.map(({ field, detail }) => `  ${optionOf(field)}: ${detail}`)];
  if (remedy) lines.push(remedy);
  if (requestId && (details.status ?? 0) >= 500) lines.push(`Request: ${requestId}`);
  return lines.map(plain).join('\n');
}

// The options that are not called as the field of the API is.
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['url', 'URL'],
  ...FIELD_OPTIONS.map(({ field, name }): [string, string] => [field, name]),
  ['client_id', '--client'],
  ['by', '--by'],
  ['q', '--q'],
  ...['tag', 'sort', 'limit', 'from', 'to', 'tz', 'state'].map(toOption),
]);

function toOption(field: string): [field: string, option: string] {
  return [field, `--${field.replaceAll('_', '-')}`];
}

function optionOf(field: string): string {
  return OPTIONS.get(field) ?? field;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
