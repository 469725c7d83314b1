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
import { timeIn } from '../kit/time.tsx';
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
  const { words } = c.var;
  const { text, content } = words;
  const reset = await findReset(c.var.db, c.req.param('token'));
  if (!reset?.isOpen) {
    const refusal = (
      <div class="confirm">
        <h1>{text(reset ? 'signIn.resetEnded' : 'signIn.resetNotFound')}</h1>
        <p>{text(reset ? 'signIn.resetEndedHint' : 'signIn.resetNotFoundHint')}</p>
        <ButtonLink href="/platform">{text('errors.toPlatform')}</ButtonLink>
      </div>
    );
    return page(
      c,
      { title: text('signIn.resetLink'), narrow: true, beside: <Door />, status: reset ? 410 : 404 },
      refusal,
    );
  }
  const shared = { form, type: 'password', autocomplete: 'new-password' } as const;
  return page(
    c,
    { title: text('account.newPassword'), narrow: true, beside: <Door />, status: status ?? 200 },
    <div class="sign-in">
      <div>
        <h1>{text('signIn.chooseNew')}</h1>
        <p class="lead">
          {content('signIn.forUser', { userName: reset.userName, ...timeIn(words, reset.expiresAt, 'UTC') })}
        </p>
      </div>
      <Form form={form} action={c.req.path}>
        {/* For password managers, which want to know whose password it is. */}
        <input
          class="unseen"
          type="text"
          value={reset.userName}
          autocomplete="username"
          aria-label={text('account.userName')}
          readonly
          tabindex={-1}
        />
        <Field
          {...shared}
          name="new_password"
          label={text('account.newPassword')}
          hint={text('account.newPasswordHint')}
        />
        <Field {...shared} name="new_password_again" label={text('account.confirmPassword')} />
        <Actions>
          <Button>{text('signIn.setPassword')}</Button>
        </Actions>
      </Form>
      <p class="quiet">{text('signIn.resetEffect')}</p>
    </div>,
  );
}
