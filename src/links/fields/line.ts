import type * as z from 'zod';
import { WITHOUT_CONTROLS } from '../../input/validation.ts';
import { textUpTo } from '../../input/schemas.ts';

/** A text of one line and at most so many characters. */
export const lineUpTo = (max: number): z.ZodString =>
  textUpTo(max).regex(WITHOUT_CONTROLS, 'must not contain control characters');

/** Without the empty text, for an edit, in which null clears. */
export const notEmpty = (text: z.ZodString): z.ZodString => text.min(1, 'must not be empty: null clears it');
