import type { Child } from 'hono/jsx';
import { relyingPartyOf } from '../../accounts/passkeys/relying-party.ts';
import type { Site } from '../../network/hosts.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { PasskeyButton } from '../kit/passkey-button.tsx';
import { useWords, type PageWords } from '../words.tsx';
import { Door } from './door.tsx';

/** The form to sign in, on its own page or in place of another one. */

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
}) {
  const { text } = useWords();
  const hasPasskeys = relyingPartyOf(site) !== null;
  return (
    <div class="sign-in">
      <div>
        <h1>{text(lead ? 'signIn.title' : 'signIn.welcome')}</h1>
        {lead ?? <p class="lead">{text('signIn.lead')}</p>}
      </div>
      <Form {...{ form, action, multipart, asks }}>
        {hidden}
        <ZoneOfBrowser />
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
        <Actions>
          <Button>{text('signIn.title')}</Button>
          {hasPasskeys && (
            <PasskeyButton options={{ from: '/platform/sign-in/passkey' }} kind="quiet">
              {text('signIn.withPasskey')}
            </PasskeyButton>
          )}
        </Actions>
      </Form>
      <p class="quiet">{text('signIn.noAccount')}</p>
    </div>
  );
}

/** A field that a script fills with the time zone of the browser, which becomes that of an account without one. */
export const ZoneOfBrowser = () => <input type="hidden" name="tz" value="" data-zone="" />;
