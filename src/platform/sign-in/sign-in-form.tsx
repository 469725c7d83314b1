import type { Child } from 'hono/jsx';
import { relyingPartyOf } from '../../accounts/passkeys/relying-party.ts';
import { BY_MAIL } from '../../http/paths.ts';
import type { Site } from '../../network/hosts.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { PasskeyButton } from '../kit/passkey-button.tsx';
import { useWords, type PageWords } from '../words.tsx';
import { Door } from './door.tsx';

/** The form to sign in, on its own page or in place of another one. */

/** The value of `company` for the provider of the service, which is no id of a workspace. */
export const OF_SERVICE = '*';

export const signInHead = ({ words, site }: { readonly words: PageWords; readonly site: Site }) => ({
  title: words.text('signIn.title'),
  narrow: true,
  beside: <Door />,
  scripts: relyingPartyOf(site) === null ? [] : ['passkeys.js'],
});

export function SignIn({
  form,
  action,
  multipart = false,
  asks = false,
  lead,
  hidden,
  site,
  atProvider = null,
  hasMail = false,
}: {
  form: FormState;
  action: string;
  multipart?: boolean;
  /** True if it has more than the user's name and password, so that its page is left only after a question. */
  asks?: boolean;
  lead?: Child;
  /** Further fields. */
  hidden: Child;
  site: Site;
  /** The host of the service's own provider, and the page at which it signs in; null without one. */
  atProvider?: { readonly host: string; readonly path: string } | null;
  /** True if a link to choose a new password can be mailed. */
  hasMail?: boolean;
}) {
  const { text } = useWords();
  const { step } = form.values;
  const hasPasskeys = relyingPartyOf(site) !== null;
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
        {step ? <CodeFields form={form} step={step} /> : <PasswordFields {...{ form, hasPasskeys }} />}
        <Actions>
          <Button>{text('signIn.title')}</Button>
          {hasPasskeys && (
            <PasskeyButton options={{ from: '/platform/sign-in/passkey' }} kind="quiet">
              {text('signIn.withPasskey')}
            </PasskeyButton>
          )}
          {step && <ButtonLink href="/platform/sign-in">{text('kit.cancel')}</ButtonLink>}
        </Actions>
      </Form>
      {!step && (
        <Actions>
          {atProvider && (
            <ButtonLink href={atProvider.path}>{text('signIn.withProvider', { provider: atProvider.host })}</ButtonLink>
          )}
          <ButtonLink href={BY_MAIL}>{text('signIn.withCompany')}</ButtonLink>
          {hasMail && <ButtonLink href="/platform/forgot">{text('mail.forgot')}</ButtonLink>}
        </Actions>
      )}
      {!step && <p class="quiet">{text(hasMail ? 'mail.noAccount' : 'signIn.noAccount')}</p>}
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

function PasswordFields({ form, hasPasskeys }: { form: FormState; hasPasskeys: boolean }) {
  const { text } = useWords();
  return (
    <>
      <Field
        form={form}
        name="name"
        label={text('account.userName')}
        autocomplete={hasPasskeys ? 'username webauthn' : 'username'}
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
