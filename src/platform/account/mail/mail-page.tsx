import type { MailAddress } from '../../../accounts/users/mail-address.ts';
import type { FormState } from '../../forms/form.ts';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { Field, Form } from '../../kit/form.tsx';
import { Notice } from '../../kit/notice.tsx';
import { PageHeader, Section } from '../../kit/section.tsx';
import { useWords } from '../../words.tsx';

export const MAIL = '/platform/account/mail';

/** The page of the address to which a user's mails go. */
export function MailPage({ mail, isOn, form }: { mail: MailAddress; isOn: boolean; form: FormState }) {
  const { text, content } = useWords();
  const { address, pending } = mail;
  return (
    <>
      <PageHeader
        title={text('mail.title')}
        lead={text('mail.accountHint')}
        crumb={{ href: '/platform/account', label: text('account.title') }}
      />
      {!isOn && <Notice>{text('mail.off')}</Notice>}
      {pending !== null && <Notice>{content('mail.pending', { address: pending })}</Notice>}
      <Section id="current" title={text('mail.address')}>
        <p>{address === null ? text('mail.none') : content('mail.current', { address })}</p>
        {(address !== null || pending !== null) && (
          <Actions>
            <ButtonLink href={`${MAIL}/remove`} kind="danger" confirms>
              {text('mail.remove')}
            </ButtonLink>
          </Actions>
        )}
      </Section>
      {isOn && (
        <Section id="change" title={text('mail.change')} hint={text('mail.changeHint')}>
          <Form form={form} action={MAIL}>
            <Field
              form={form}
              name="address"
              type="email"
              label={text('mail.address')}
              autocomplete="email"
              spellcheck={false}
            />
            <Actions>
              <Button>{text('mail.sendLink')}</Button>
            </Actions>
          </Form>
        </Section>
      )}
    </>
  );
}
