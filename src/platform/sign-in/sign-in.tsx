import { Hono } from 'hono';
import * as z from 'zod';
import { endSession, startSession } from '../../accounts/session.ts';
import { signIn } from '../../accounts/sign-in.ts';
import { AppError } from '../../errors.ts';
import { readQuery } from '../../http/query.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { lazy } from '../../lazy.ts';
import { parseFields } from '../../validation.ts';
import { clearCookie, keepSession } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../form.ts';
import { deviceOf, sessionOf } from '../guard.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { ownPath } from '../nav.ts';
import { page } from '../page.tsx';

/** Signing in and out. */
export function signInPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform/sign-in', async (c) => {
    const next = ownPath(readQuery(c)['next'], c.var.site.requestUrl);
    if (await sessionOf(c)) return seeOther(c, next);
    return page(c, SIGN_IN, <SignIn form={newForm({ next })} />);
  });

  pages.post('/platform/sign-in', async (c) => {
    const fields = await readFields(c);
    const sent = await submit(fields, async () => {
      const { name, password } = parseFields(signInFields(), fields);
      const user = await signIn(c.var.db, signInGuard(c), { name, password }).catch(throwBesidePassword);
      await limitRate(c, 'write', { userId: user.id });
      return startSession(c.var.db, user, deviceOf(c));
    });
    if (!sent.ok) {
      const status = 'password' in sent.form.faults && fields['password'] ? 401 : sent.status;
      return page(c, { ...SIGN_IN, status }, <SignIn form={sent.form} />);
    }
    // An earlier session of this browser is ended, so that it does not stay signed in.
    const former = await sessionOf(c);
    if (former) await endSession(c.var.db, former);
    keepSession(c, sent.value);
    return seeOther(c, ownPath(fields['next'], c.var.site.requestUrl));
  });

  pages.post('/platform/sign-out', async (c) => {
    const session = await sessionOf(c);
    if (session) await endSession(c.var.db, session);
    clearCookie(c, 'session');
    return seeOther(c, '/platform/sign-in', 'signed-out');
  });

  return pages;
}

const SIGN_IN = { title: 'Sign in', narrow: true };

const signInFields = lazy(() =>
  z.strictObject({ name: z.string(), password: z.string(), next: z.string().optional() }),
);

// The sign-in page shows this failure itself, and cannot say which of the two is wrong.
function throwBesidePassword(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'invalid_credential') throw error;
  const sentence = 'The user name or the password is wrong.';
  throw new AppError('invalid_password', sentence, { faults: [{ field: 'password', sentence }] });
}

function SignIn({ form }: { form: FormState }) {
  return (
    <div class="sign-in">
      <h1>Sign in</h1>
      <Form form={form} action="/platform/sign-in">
        <Hidden name="next" value={form.values['next'] ?? '/platform'} />
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
