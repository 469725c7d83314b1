import type * as z from 'zod';
import { textUpTo, WITHOUT_CONTROLS } from '../../validation.ts';

/** A text of one line, of at most so many characters. */
export const lineUpTo = (max: number): z.ZodString =>
  textUpTo(max).regex(WITHOUT_CONTROLS, 'must not contain control characters');

/** The same in an edit, where null clears it rather than an empty text. */
export const notEmpty = (text: z.ZodString): z.ZodString => text.min(1, 'must not be empty: null clears it');
