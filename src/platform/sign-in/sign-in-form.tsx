import type { Child } from 'hono/jsx';
import type { FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { Door } from './door.tsx';

/** The form to sign in, on its own page or in place of another one. */

export const SIGN_IN = { title: 'Sign in', narrow: true, beside: <Door /> };

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
      <div>
        <h1>{lead ? 'Sign in' : 'Good to see you.'}</h1>
        {lead ?? <p class="lead">Sign in to your short links and their numbers.</p>}
      </div>
      <Form {...{ form, action, multipart, asks }}>
        {hidden}
        <ZoneOfBrowser />
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

/** A field that a script fills with the time zone of the browser, which becomes that of an account without one. */
export const ZoneOfBrowser = () => <input type="hidden" name="tz" value="" data-zone="" />;
