import type { Child } from 'hono/jsx';
import type { WaysToConfirm } from '../../accounts/factors/ways-to-confirm.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { PasskeyButton } from '../kit/passkey-button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { OwnUserName } from '../kit/own-user-name.tsx';
import { PASSKEYS } from '../passkeys/paths.ts';
import { useWords } from '../words.tsx';
import { CodeField } from './sign-in-form.tsx';

/** The form by which a signed-in user confirms who they are, before what a stolen cookie must not do. */
export function ConfirmIdentity({
  form,
  action,
  back,
  hidden,
  ways,
  userName,
  atProvider,
  afterAccess,
}: {
  form: FormState;
  action: string;
  back: string;
  hidden: Child;
  ways: WaysToConfirm;
  userName: string;
  /** The page at which the session’s provider confirms its user; null without one. */
  atProvider: string | null;
  /** True if the session began at Cloudflare Access. */
  afterAccess: boolean;
}) {
  const { text, content } = useWords();
  return (
    <div class="sign-in">
      <div>
        <h1>{text('confirmIdentity.title')}</h1>
        <p class="lead">{text('confirmIdentity.lead')}</p>
      </div>
      {atProvider !== null && <p>{text('confirmIdentity.atProvider')}</p>}
      {afterAccess && (
        <p>{content('confirmIdentity.afterAccess', { a: (inside) => <a href={`${PASSKEYS}/new`}>{inside}</a> })}</p>
      )}
      {atProvider !== null && (
        <Actions>
          <ButtonLink href={atProvider} kind="primary">
            {text('confirmIdentity.withProvider')}
          </ButtonLink>
        </Actions>
      )}
      <Form form={form} action={action} multipart isKept={false}>
        {hidden}
        <OwnUserName name={userName} />
        {ways.codes && <CodeField form={form} />}
        {ways.password && (
          <Field
            form={form}
            name="current_password"
            label={text(ways.codes ? 'confirmIdentity.orPassword' : 'account.currentPassword')}
            type="password"
            autocomplete="current-password"
            autofocus={!ways.codes}
          />
        )}
        <Actions>
          {(ways.password || ways.codes) && <Button>{text('confirmIdentity.confirm')}</Button>}
          {ways.passkeys && (
            <PasskeyButton options={{ from: '/platform/confirm/passkey' }} kind="quiet">
              {text('confirmIdentity.withPasskey')}
            </PasskeyButton>
          )}
          <ButtonLink href={back}>{text('kit.cancel')}</ButtonLink>
        </Actions>
      </Form>
    </div>
  );
}
