import type { OwnPassword } from '../../accounts/application-passwords/application-passwords.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CodeBlock, CopyField } from '../kit/copy.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { agoIn } from '../kit/relative-time.tsx';
import { LeadWithGuide, PageHeader, Section } from '../kit/section.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
import { curlTokens } from '../keys/curl.ts';
import { useWords, type PageWords } from '../words.tsx';
import { BasicUse } from './basic-use.tsx';

/** The pages of a user's application passwords. */

export const PASSWORDS = '/platform/account/passwords';

export function PasswordsPage({
  passwords,
  basicUsedAt,
  session: { hasFactor, timeZone },
}: {
  passwords: readonly OwnPassword[];
  basicUsedAt: number | null;
  session: Session;
}) {
  const words = useWords();
  const { text } = words;
  return (
    <SettingsList
      title={text('applicationPasswords.title')}
      lead={<LeadWithGuide guide="api#authentication">{text('applicationPasswords.lead')}</LeadWithGuide>}
      crumb={{ href: '/platform/account', label: text('account.title') }}
      action={{ href: `${PASSWORDS}/new`, label: text('applicationPasswords.create') }}
      settings={passwords.map((password) => passwordSetting(words, password, timeZone))}
      empty={{ title: text('applicationPasswords.none'), text: text('applicationPasswords.noneHint') }}
    >
      <BasicUse usedAt={basicUsedAt} {...{ hasFactor, timeZone }} />
    </SettingsList>
  );
}

function passwordSetting(
  words: PageWords,
  { id, name, createdAt, lastUsedAt }: OwnPassword,
  timeZone: string,
): Setting {
  const { text, content } = words;
  const ago = (at: number) => agoIn(words, at, timeZone);
  return {
    name: <bdi>{name}</bdi>,
    title: name,
    facts: [
      lastUsedAt === null ? text('keys.neverUsed') : content('keys.lastUsedAgo', ago(lastUsedAt)),
      content('applicationPasswords.createdAgo', ago(createdAt)),
      <code>{`ap_${id}_`}</code>,
    ],
    acts: [{ icon: 'ban', label: text('kit.revoke'), href: `${PASSWORDS}/${id}/revoke`, confirms: true }],
  };
}

export function NewPasswordPage({ form }: { form: FormState }) {
  const { text } = useWords();
  return (
    <>
      <PageHeader
        title={text('applicationPasswords.new')}
        lead={text('applicationPasswords.newLead')}
        crumb={{ href: PASSWORDS, label: text('applicationPasswords.title') }}
      />
      <Section id="password" title={text('applicationPasswords.password')} hint={text('applicationPasswords.newHint')}>
        <Form form={form} action={`${PASSWORDS}/new`}>
          <Hidden name="nonce" value={form.values['nonce'] ?? ''} />
          <Field
            form={form}
            name="name"
            label={text('kit.name')}
            hint={text('applicationPasswords.nameHint')}
            autocomplete="off"
            autofocus
          />
          <Actions>
            <Button>{text('applicationPasswords.create')}</Button>
            <ButtonLink href={PASSWORDS}>{text('kit.cancel')}</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

/** @param secret the application password itself */
export function PasswordTextPage({
  password,
  secret,
  userName,
  origin,
}: {
  password: OwnPassword;
  secret: string;
  userName: string;
  origin: string;
}) {
  const { text } = useWords();
  return (
    <>
      <PageHeader
        title={password.name}
        lead={text('applicationPasswords.created')}
        crumb={{ href: PASSWORDS, label: text('applicationPasswords.title') }}
      />
      <Notice kind="warning">{text('applicationPasswords.copyNow')}</Notice>
      <Section id="secret" title={text('applicationPasswords.password')} hint={text('keys.secretHint')}>
        <CopyField id="application-password" label={text('applicationPasswords.password')} value={secret} wide />
        <Actions>
          <ButtonLink href={PASSWORDS}>{text('kit.done')}</ButtonLink>
        </Actions>
      </Section>
      <Section id="try" title={text('keys.tryIt')} hint={text('applicationPasswords.tryItHint')}>
        <CodeBlock id="curl" label="curl" code={curlTokens(origin, userName, secret)} />
      </Section>
    </>
  );
}
