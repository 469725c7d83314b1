import * as z from 'zod';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';

const resumedForm = lazy(() =>
  z.strictObject({
    by: z.string(),
    texts: z.array(z.tuple([z.string(), z.string()])),
    /** The names of the passwords that were typed, which are not kept. */
    passwords: z.array(z.string()),
  }),
);

/** The values typed into a form, as a page carries them. */
export type ResumedForm = z.output<ReturnType<typeof resumedForm>>;

/** Reads what a page has carried. Throws `malformed_body`. */
export function readResumedForm(text: string): ResumedForm {
  try {
    return resumedForm().parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('malformed_body', 'The form is incomplete. Open its page again.', { cause });
  }
}
