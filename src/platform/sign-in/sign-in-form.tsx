import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import * as z from 'zod';
import { endSession, startSession } from '../../accounts/sessions/session.ts';
import { signIn } from '../../accounts/sessions/sign-in.ts';
import { AppError } from '../../errors.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { lazy } from '../../isolate/lazy.ts';
import { parseFields } from '../../input/validation.ts';
import { keepSession } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { submit, type FormState, type Submission } from '../forms/form.ts';
import { deviceOf, sessionOf } from '../guard.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';

/** Signing in by a form, on its own page or in place of another one. */

export const SIGN_IN = { title: 'Sign in', narrow: true };

const signInFields = lazy(() => z.strictObject({ name: z.string(), password: z.string() }));

/** The session that has begun. */
interface NewSession {
  readonly userId: string;
  /** The value of its cookie. */
  readonly value: string;
}

/** Signs a user in, and sets the cookie. Throws what `submit` throws. */
export async function signInBy(
  c: Context<PlatformEnv>,
  typed: Readonly<Record<string, string>>,
): Promise<Submission<NewSession>> {
  const sent = await submit(c, typed, async () => {
    const { name, password } = parseFields(signInFields(), typed);
    const user = await signIn(c.var.db, signInGuard(c), { name, password }).catch(throwBesidePassword);
    await limitRate(c, 'write', { userId: user.id });
    return { userId: user.id, value: await startSession(c.var.db, user, deviceOf(c)) };
  });
  if (!sent.ok) return { ...sent, status: 'password' in sent.form.faults && typed['password'] ? 401 : sent.status };
  // An earlier session of this browser is ended, so that it does not stay signed in.
  const former = await sessionOf(c);
  if (former) await endSession(c.var.db, former);
  keepSession(c, sent.value.value);
  return sent;
}

// The sign-in page shows this failure itself, and cannot say which of the two is wrong.
function throwBesidePassword(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'invalid_credential') throw error;
  const sentence = 'The user name or the password is wrong.';
  throw new AppError('invalid_password', sentence, { faults: [{ field: 'password', sentence }] });
}

export function SignIn({
  form,
  action,
  multipart = false,
  asks = false,
  lead,
  hidden,
}: {
  form: FormState;
  action: string;
  multipart?: boolean;
  /** True if it has more than the user's name and password, so that its page is left only after a question. */
  asks?: boolean;
  lead?: Child;
  /** Further fields. */
  hidden: Child;
}) {
  return (
    <div class="sign-in">
      <h1>Sign in</h1>
      {lead}
      <Form {...{ form, action, multipart, asks }}>
        {hidden}
        <Field
          form={form}
          name="name"
          label="User name"
          autocomplete="username"
          spellcheck={false}
          autofocus={!form.values['name']}
        />
        <Field form={form} name="password" label="Password" type="password" autocomplete="current-password" />
        <Actions>
          <Button>Sign in</Button>
        </Actions>
      </Form>
      <p class="quiet">
        No account? Ask an owner of a workspace for an invite. Forgot your password? Ask an owner or the operator of
        this service for a reset link.
      </p>
    </div>
  );
}
