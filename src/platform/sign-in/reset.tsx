import { Hono, type Context } from 'hono';
import { findReset, resetFields, resetPassword } from '../../accounts/users/resets.ts';
import type { ErrorStatus } from '../../errors.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { parseFields } from '../../input/validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { Time } from '../kit/time.tsx';
import { page } from '../page.tsx';
import { Door } from './door.tsx';

const RESET = '/platform/reset/:token';

/**
 * The page of a reset link. Opening it does not use up the link. Setting the password does not sign the user in: the
 * user then types it into the sign-in form, which counts attempts and shows that the password was stored.
 */
export function resetPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(RESET, (c) => respondWithReset(c));

  pages.post(RESET, async (c) => {
    const fields = await readFields(c);
    const sent = await submit(c, fields, () => {
      const { new_password: password } = parseFields(resetFields(), fields);
      return resetPassword(c.var.db, signInGuard(c), { token: c.req.param('token'), password });
    });
    if (!sent.ok) return respondWithReset(c, sent.form, sent.status);
    return seeOther(c, '/platform/sign-in', 'password-reset');
  });

  return pages;
}

async function respondWithReset(
  c: Context<PlatformEnv, typeof RESET>,
  form: FormState = newForm(),
  status?: ErrorStatus | 200,
) {
  const reset = await findReset(c.var.db, c.req.param('token'));
  if (!reset?.isOpen) {
    const content = (
      <div class="confirm">
        <h1>{reset ? 'This link no longer works' : 'Link not found'}</h1>
        <p>
          {reset
            ? 'It has been used, was replaced by a newer link, has expired, or the password has been changed since.'
            : 'Check that you opened the complete link.'}{' '}
          Ask the sender for a new link.
        </p>
        <ButtonLink href="/platform">Go to the platform</ButtonLink>
      </div>
    );
    return page(c, { title: 'Reset link', narrow: true, beside: <Door />, status: reset ? 410 : 404 }, content);
  }
  const shared = { form, type: 'password', autocomplete: 'new-password' } as const;
  return page(
    c,
    { title: 'New password', narrow: true, beside: <Door />, status: status ?? 200 },
    <div class="sign-in">
      <div>
        <h1>Choose a new password</h1>
        <p class="lead">
          For the user <bdi>{reset.userName}</bdi>. The link can be used once and expires on{' '}
          <Time at={reset.expiresAt} timeZone="UTC" />.
        </p>
      </div>
      <Form form={form} action={c.req.path}>
        {/* For password managers, which want to know whose password it is. */}
        <input
          class="unseen"
          type="text"
          value={reset.userName}
          autocomplete="username"
          aria-label="User name"
          readonly
          tabindex={-1}
        />
        <Field
          {...shared}
          name="new_password"
          label="New password"
          hint="At least 8 characters. A phrase of several words works well."
        />
        <Field {...shared} name="new_password_again" label="Confirm new password" />
        <Actions>
          <Button>Set password</Button>
        </Actions>
      </Form>
      <p class="quiet">This signs the user out everywhere and revokes all tokens. API keys keep working.</p>
    </div>,
  );
}
