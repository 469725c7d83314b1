import type { Child } from 'hono/jsx';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { useWords, type PageWords } from '../words.tsx';
import { Door } from './door.tsx';

/** The form to sign in, on its own page or in place of another one. */

export const signInHead = ({ text }: PageWords) => ({ title: text('signIn.title'), narrow: true, beside: <Door /> });

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
  const { text } = useWords();
  const { step } = form.values;
  return (
    <div class="sign-in">
      <div>
        <h1>{text(step ? 'signIn.secondStep' : lead ? 'signIn.title' : 'signIn.welcome')}</h1>
        {step ? (
          <p class="lead">{text('signIn.secondStepLead')}</p>
        ) : (
          (lead ?? <p class="lead">{text('signIn.lead')}</p>)
        )}
      </div>
      <Form {...{ form, action, multipart, asks }}>
        {hidden}
        <ZoneOfBrowser zone={form.values['tz']} />
        {step ? <CodeFields form={form} step={step} /> : <PasswordFields form={form} />}
        <Actions>
          <Button>{text('signIn.title')}</Button>
          {step && <ButtonLink href="/platform/sign-in">{text('kit.cancel')}</ButtonLink>}
        </Actions>
      </Form>
      {!step && <p class="quiet">{text('signIn.noAccount')}</p>}
    </div>
  );
}

function CodeFields({ form, step }: { form: FormState; step: string }) {
  return (
    <>
      <Hidden name="step" value={step} />
      <CodeField form={form} />
    </>
  );
}

/** The field `code`, for a code of an app or a recovery code. */
export function CodeField({ form }: { form: FormState }) {
  const { text } = useWords();
  return (
    <Field
      form={form}
      name="code"
      label={text('signIn.code')}
      hint={text('signIn.codeHint')}
      autocomplete="one-time-code"
      spellcheck={false}
      autofocus
    />
  );
}

function PasswordFields({ form }: { form: FormState }) {
  const { text } = useWords();
  return (
    <>
      <Field
        form={form}
        name="name"
        label={text('account.userName')}
        autocomplete="username"
        spellcheck={false}
        autofocus={!form.values['name']}
      />
      <Field
        form={form}
        name="password"
        label={text('account.password')}
        type="password"
        autocomplete="current-password"
      />
    </>
  );
}

/** A field that a script fills with the time zone of the browser, which becomes that of an account without one. */
export const ZoneOfBrowser = ({ zone = '' }: { zone?: string | undefined }) => (
  <input type="hidden" name="tz" value={zone} data-zone="" />
);
