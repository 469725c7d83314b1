import { AppError } from '../../errors.ts';
import { SlugOfDeletedLink, slugTaken } from '../edit/edit-refusals.ts';
import type { ManagedLink } from '../managed-link.ts';
import { keysOf } from '../slugs/slug.ts';

/** The outcome of a row, or the one that it would have. */
export type ImportResult =
  /** `link` is null in a dry run, which creates none. */
  | { readonly status: 'created'; readonly link: ManagedLink | null }
  | { readonly status: 'unchanged'; readonly link: ManagedLink | null }
  | { readonly status: 'error'; readonly error: AppError };

export type Decision =
  | ImportResult
  | { readonly status: 'follows'; readonly leader: number }
  | { readonly status: 'new' };

export function failed(error: AppError): { readonly status: 'error'; readonly error: AppError } {
  return { status: 'error', error };
}

/**
 * The error of a slug that is taken.
 *
 * @param by the slugs of those that have it, which can differ in case
 * @param deletedOwner the deleted link of the client that has it and can be restored, by id
 * @param isPending whether its domain is pending, so that it can be added again with `case_sensitive`
 */
export function taken(
  slug: string,
  by: readonly string[],
  isPending: boolean,
  deletedOwner: string | null = null,
): AppError {
  if (deletedOwner !== null) return new SlugOfDeletedLink(slug, deletedOwner);
  const { exact } = keysOf(slug);
  if (!isPending || by.some((other) => keysOf(other).exact === exact)) return slugTaken(slug);
  return new AppError(
    'slug_taken',
    `slug ${slug} is already in use on this host with different upper and lower case. Choose another one, or to keep both, set case_sensitive of the domain before its first link: if it has links, remove it with them, add it again, and import the file again.`,
  );
}

export function differs(slug: string, fields: readonly string[], by: string): AppError {
  return new AppError('slug_taken', `slug ${slug} is already in use by ${by} that differs in ${fields.join(', ')}.`);
}
