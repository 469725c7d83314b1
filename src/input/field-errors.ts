import { AppError, STATUS_BY_CODE, type ErrorCode } from '../errors.ts';

/** The fields that an error is about. */

const FIELD_BY_CODE: Partial<Record<ErrorCode, string>> = {
  own_host: 'url',
  blocked_host: 'url',
  destination_unreachable: 'url',
  destination_too_slow: 'url',
  destination_closed: 'url',
  slug_taken: 'slug',
  slug_of_deleted_link: 'slug',
  external_id_taken: 'external_id',
  too_many_aliases: 'aliases',
  too_many_links: 'tag',
  too_many_tags: 'tags',
  tag_taken: 'name',
  unknown_domain: 'custom_domain',
  domain_taken: 'host',
  name_taken: 'name',
};

/** The field of a code, or null if the code alone does not name one. */
export function fieldOf(code: ErrorCode): string | null {
  const named = STATUS_BY_CODE[code] === 400 && code.startsWith('invalid_') ? code.slice('invalid_'.length) : null;
  return FIELD_BY_CODE[code] ?? named;
}

/** A field with a fault, and a sentence that names the field. */
export interface FieldError {
  readonly field: string;
  readonly detail: string;
}

/** The fields with faults, as far as the error knows them. */
export function fieldErrorsOf({ code, message, faults }: AppError): readonly FieldError[] {
  if (faults.length > 0) return faults.map(({ field, detail, sentence }) => ({ field, detail: detail ?? sentence }));
  const field = fieldOf(code);
  return field === null ? [] : [{ field, detail: message }];
}

/** Joins several errors of one item: the first error, with the fields of all. Null if there are none. */
export function joinErrors(errors: readonly AppError[]): AppError | null {
  const [first, ...others] = new Map(errors.map((error) => [error.message, error])).values();
  if (!first || others.length === 0) return first ?? null;
  const faults = [first, ...others].flatMap(fieldErrorsOf).map((fault) => ({ ...fault, sentence: fault.detail }));
  return new AppError(first.code, first.message, { faults });
}
