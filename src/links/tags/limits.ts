import { AppError } from '../../errors.ts';

/** How many tags a client can have. */
export const MAX_TAGS = 1000;

export function tooManyTags(): AppError {
  return new AppError(
    'too_many_tags',
    `A client can have at most ${MAX_TAGS} tags. Use existing ones, or delete one with DELETE /v1/tags/{id}.`,
  );
}
