import type { Context } from 'hono';
import * as z from 'zod';
import { confirmByCode } from '../../accounts/factors/factors.ts';
import { confirmByPassword } from '../../accounts/users/own-account.ts';
import { AppError } from '../../errors.ts';
import { factorToolsOf } from '../../http/factor-tools.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { parseFields } from '../../input/validation.ts';
import { lazy } from '../../isolate/lazy.ts';
import { deviceOf } from '../device.ts';
import type { PlatformEnv } from '../env.ts';
import { submit, type Submission } from '../forms/form.ts';
import { passkeys } from './sign-in-later.ts';

const confirmFields = lazy(() =>
  z.strictObject({
    by: z.string().optional(),
    passkey_response: z.string().default(''),
    current_password: z.string().default(''),
    code: z.string().default(''),
  }),
);

/** Confirms who the user of the session is: by a passkey, a code, or the password. Throws what `submit` throws. */
export function confirmBy(c: Context<PlatformEnv>, typed: Readonly<Record<string, string>>): Promise<Submission<void>> {
  const { db, session } = c.var;
  return submit(c, typed, async () => {
    const { by, passkey_response: response, current_password: password, code } = parseFields(confirmFields(), typed);
    if (by === 'passkey') return passkeys.use(({ confirmByPasskey }) => confirmByPasskey(c, response));
    if (code.trim() === '' && password === '') throw nothingTyped('code' in typed);
    return code.trim() === ''
      ? confirmByPassword(db, signInGuard(c), session, password)
      : confirmByCode(factorToolsOf(c), session, { code, device: deviceOf(c) });
  });
}

// An empty form is no attempt. Without an app and recovery codes it has no field for a code.
function nothingTyped(hasCode: boolean): AppError {
  const [field, sentence] = hasCode
    ? (['code', 'Enter a code or your current password.'] as const)
    : (['current_password', 'This is required.'] as const);
  return new AppError('missing_field', sentence, { faults: [{ field, sentence }] });
}
