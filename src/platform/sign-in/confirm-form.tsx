import type { Child } from 'hono/jsx';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { useWords } from '../words.tsx';
import { CodeField } from './sign-in-form.tsx';

/** The form by which a signed-in user confirms who they are, before what a stolen cookie must not do. */
export function ConfirmIdentity({
  form,
  action,
  back,
  hidden,
  hasFactor,
  userName,
}: {
  form: FormState;
  action: string;
  back: string;
  hidden: Child;
  hasFactor: boolean;
  userName: string;
}) {
  const { text } = useWords();
  return (
    <div class="sign-in">
      <div>
        <h1>{text('confirmIdentity.title')}</h1>
        <p class="lead">{text('confirmIdentity.lead')}</p>
      </div>
      <Form form={form} action={action} multipart isKept={false}>
        {hidden}
        {/* For password managers, which want to know whose password it is. */}
        <input
          class="unseen"
          type="text"
          value={userName}
          autocomplete="username"
          aria-label={text('account.userName')}
          readonly
          tabindex={-1}
        />
        {hasFactor && <CodeField form={form} />}
        <Field
          form={form}
          name="current_password"
          label={text(hasFactor ? 'confirmIdentity.orPassword' : 'account.currentPassword')}
          type="password"
          autocomplete="current-password"
          autofocus={!hasFactor}
        />
        <Actions>
          <Button>{text('confirmIdentity.confirm')}</Button>
          <ButtonLink href={back}>{text('kit.cancel')}</ButtonLink>
        </Actions>
      </Form>
    </div>
  );
}
