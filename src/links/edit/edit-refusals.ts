import { AppError } from '../../errors.ts';

/** The reasons why a link is not edited. */

export function linkDeleted(): AppError {
  return new AppError('link_deleted', 'The link is deleted. Restore it before you change it.');
}

export function domainRemoved(): AppError {
  return new AppError(
    'domain_removed',
    'The custom domain of this link has been removed, and its addresses with it. Create a new link.',
  );
}

export function noSuchLink(): AppError {
  return new AppError('not_found', 'There is no link with this id that you can access.');
}

export function slugTaken(slug: string): AppError {
  return new AppError(
    'slug_taken',
    `slug ${slug} is already in use on this host, possibly with different upper and lower case. Choose another one.`,
  );
}

/** The error for a slug of a link that the same client has deleted, and can restore. */
export class SlugOfDeletedLink extends AppError {
  readonly linkId: string;

  constructor(slug: string, linkId: string) {
    const cure = `Restore it with POST /v1/links/${linkId}/restore, or choose another slug.`;
    const detail = `slug ${slug} belongs to your deleted link ${linkId}. ${cure}`;
    const sentence = 'A link that you have deleted has this slug. Restore it, or choose another slug.';
    super('slug_of_deleted_link', detail, { faults: [{ field: 'slug', sentence, detail }] });
    this.linkId = linkId;
  }
}

export function externalIdTaken(): AppError {
  return new AppError(
    'external_id_taken',
    'external_id is already in use by another link, or by a deleted one that can be restored. Choose another one.',
  );
}

export function stale(): AppError {
  return new AppError(
    'precondition_failed',
    'The link has been changed since you read it. Read it again, then edit it.',
  );
}
