import { AppError } from '../../errors.ts';

/** The most tags that a client can have. */
export const MAX_TAGS = 1000;

export function tooManyTags(): AppError {
  return new AppError(
    'too_many_tags',
    `The limit of ${MAX_TAGS} tags is reached. Use existing ones, or delete one that is not used.`,
  );
}
