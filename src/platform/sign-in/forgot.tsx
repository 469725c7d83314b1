import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { requestResetMail } from '../../accounts/users/reset-requests.ts';
import { AppError, type ErrorStatus } from '../../errors.ts';
import { isMailOn } from '../../http/mail-on.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { parseFields } from '../../input/validation.ts';
import { lazy } from '../../isolate/lazy.ts';
import type { PlatformEnv } from '../env.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { page } from '../page.tsx';
import { Door } from './door.tsx';

const FORGOT = '/platform/forgot';

const fieldsOfForm = lazy(() => z.strictObject({ name: z.string() }));

/** The page where a person without the password asks for a link by mail. It never says whether an account exists. */
export function forgotPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.use(FORGOT, async (c, next) => {
    if (!isMailOn(c)) throw new AppError('not_found', 'There is no such page.');
    await next();
  });

  pages.get(FORGOT, (c) => respondWithForm(c));

  pages.post(FORGOT, async (c) => {
    const fields = await readFields(c);
    const sent = await submit(c, fields, () =>
      requestResetMail(c.env.WEBHOOKS, signInGuard(c), parseFields(fieldsOfForm(), fields).name),
    );
    if (!sent.ok) return respondWithForm(c, sent.form, sent.status);
    const { text } = c.var.words;
    return page(
      c,
      { title: text('mail.forgotTitle'), narrow: true, beside: <Door /> },
      <div class="confirm">
        <h1>{text('mail.forgotSent')}</h1>
        <p>{text('mail.forgotSentHint')}</p>
        <ButtonLink href="/platform/sign-in">{text('signIn.title')}</ButtonLink>
      </div>,
    );
  });

  return pages;
}

function respondWithForm(c: Context<PlatformEnv>, form: FormState = newForm(), status: ErrorStatus | 200 = 200) {
  const { text } = c.var.words;
  return page(
    c,
    { title: text('mail.forgotTitle'), narrow: true, beside: <Door />, status },
    <div class="sign-in">
      <div>
        <h1>{text('mail.forgotTitle')}</h1>
        <p class="lead">{text('mail.forgotLead')}</p>
      </div>
      <Form form={form} action={FORGOT}>
        <Field form={form} name="name" label={text('mail.forgotName')} autocomplete="username" spellcheck={false} />
        <Actions>
          <Button>{text('mail.sendLink')}</Button>
          <ButtonLink href="/platform/sign-in">{text('kit.cancel')}</ButtonLink>
        </Actions>
      </Form>
    </div>,
  );
}
