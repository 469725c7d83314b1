import type { OwnPassword } from '../../accounts/application-passwords/application-passwords.ts';
import type { Unconfirmed } from '../../accounts/application-passwords/keep-password.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import { isolated } from '../bidi.ts';
import { newForm, type FormState } from '../forms/form.ts';
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
  unconfirmed,
  form,
  session: { hasFactor, timeZone, provider, limitedTo },
}: {
  passwords: readonly OwnPassword[];
  basicUsedAt: number | null;
  /** The application passwords that the provider of the session can confirm. */
  unconfirmed: readonly Unconfirmed[];
  /** That of an application password whose beginning is entered. */
  form: FormState;
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
      {provider?.kind === 'openid' && (limitedTo !== null || unconfirmed.length > 0) && (
        <Section
          id="keep"
          title={text('applicationPasswords.unconfirmed')}
          hint={text('applicationPasswords.unconfirmedHint', { provider: isolated(provider.name) })}
        >
          {limitedTo === null ? unconfirmed.map((password) => <Keep {...password} />) : <KeepTyped form={form} />}
        </Section>
      )}
    </SettingsList>
  );
}

function Keep({ id, name }: Unconfirmed) {
  const { text } = useWords();
  return (
    <Form form={newForm()} action={`${PASSWORDS}/keep`} isKept={false}>
      <Hidden name="application_password" value={`ap_${id}_`} />
      <p>
        <bdi>{name}</bdi> <code>{`ap_${id}_`}</code>
      </p>
      <Actions>
        <Button kind="quiet" label={text('applicationPasswords.keepThis', { name: isolated(name) })}>
          {text('applicationPasswords.keep')}
        </Button>
      </Actions>
    </Form>
  );
}

/** In a session that opens one workspace alone, and so lists none of the account. */
function KeepTyped({ form }: { form: FormState }) {
  const { text } = useWords();
  return (
    <Form form={form} action={`${PASSWORDS}/keep`} isKept={false}>
      <Field
        form={form}
        name="application_password"
        label={text('applicationPasswords.beginning')}
        hint={text('applicationPasswords.beginningHint')}
        autocomplete="off"
        spellcheck={false}
        code
      />
      <Actions>
        <Button kind="quiet">{text('applicationPasswords.keep')}</Button>
      </Actions>
    </Form>
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
