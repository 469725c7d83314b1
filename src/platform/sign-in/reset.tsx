import { Hono, type Context } from 'hono';
import { findReset, resetFields, resetPassword } from '../../accounts/resets.ts';
import type { ErrorStatus } from '../../errors.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { parseFields } from '../../validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { Time } from '../kit/time.tsx';
import { page } from '../page.tsx';

const RESET = '/platform/reset/:token';

/**
 * The page of a reset link. Opening it does not use up the link. Setting the password signs nobody in: the user then
 * types it into the sign-in form, which counts tries and shows that the password was stored.
 */
export function resetPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(RESET, (c) => answerReset(c));

  pages.post(RESET, async (c) => {
    const fields = await readFields(c);
    const sent = await submit(fields, () => {
      const { new_password: password } = parseFields(resetFields, fields);
      return resetPassword(c.var.db, signInGuard(c), { token: c.req.param('token'), password });
    });
    if (!sent.ok) return answerReset(c, sent.form, sent.status);
    return seeOther(c, '/platform/sign-in', 'password-reset');
  });

  return pages;
}

async function answerReset(c: Context<PlatformEnv, typeof RESET>, form: FormState = newForm(), status?: ErrorStatus) {
  const reset = await findReset(c.var.db, c.req.param('token'));
  if (!reset?.isOpen) {
    const content = (
      <div class="confirm">
        <h1>{reset ? 'This link is good for nothing any more' : 'There is no such link'}</h1>
        <p>
          {reset
            ? 'It has been used, a newer one was made, the password was changed meanwhile, or its 24 hours are over.'
            : 'Check that it is whole, from its beginning to its end.'}{' '}
          Ask whoever sent it for a new one.
        </p>
        <ButtonLink href="/platform">To the platform</ButtonLink>
      </div>
    );
    return page(c, { title: 'Reset link', narrow: true, status: reset ? 410 : 404 }, content);
  }
  const shared = { form, type: 'password', autocomplete: 'new-password' } as const;
  return page(
    c,
    { title: 'New password', narrow: true, status: status ?? 200 },
    <div class="sign-in">
      <div>
        <h1>Choose a new password</h1>
        <p class="lead">
          For the user <bdi>{reset.userName}</bdi>. The link works once, until{' '}
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
          hint="At least 8 characters. A few words in a row are good."
        />
        <Field {...shared} name="new_password_again" label="New password, again" />
        <Actions>
          <Button>Set password</Button>
        </Actions>
      </Form>
      <p class="quiet">This ends all sessions and tokens of the user. API keys go on working.</p>
    </div>,
  );
}
