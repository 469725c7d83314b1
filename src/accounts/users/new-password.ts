import type * as z from 'zod';
import { fault } from '../../input/validation.ts';
import { chosenPassword } from './names.ts';
import { preparedPassword } from './password.ts';

const invalidPassword = fault('invalid_password');

/** Checks a new password that was typed twice, for a `superRefine`; all faults are reported. */
export function checkNewPassword(
  fields: { readonly new_password: string; readonly new_password_again: string },
  ctx: z.RefinementCtx,
): void {
  checkPassword('new_password', fields.new_password, chosenPassword(), ctx);
  if (preparedPassword(fields.new_password) !== preparedPassword(fields.new_password_again)) {
    const message = 'must be the same as the new password';
    ctx.addIssue({ code: 'custom', message, path: ['new_password_again'], ...invalidPassword });
  }
}

/** Reports the issues of a field's schema at that field. */
export function checkPassword(field: string, text: string, schema: z.ZodType, ctx: z.RefinementCtx): void {
  const [issue] = schema.safeParse(text).error?.issues ?? [];
  if (issue) ctx.addIssue({ code: 'custom', message: issue.message, path: [field], ...invalidPassword });
}
