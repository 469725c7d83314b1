import type { ActiveSession, Session } from '../../accounts/sessions/session.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Select } from '../kit/form.tsx';
import { Badge } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { OwnUserName } from '../kit/own-user-name.tsx';
import { Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { PASSKEYS } from '../passkeys/paths.ts';
import { ownName } from '../person-name.ts';
import { useWords, type PageWords } from '../words.tsx';
import { MAIL } from './mail/mail-page.tsx';
import { FACTORS } from './factors/factors-page.tsx';
import { HISTORY } from './history.tsx';
import { languageOptions } from './languages.ts';
import { OWN_DATA } from './paths.ts';
import { ProgramSections } from './program-sections.tsx';
import { nameOfDevice, nameOfPlace, nameOfWay } from './sign-in-words.ts';
import { zoneOptions } from './zones.ts';

/** The page of a user's own account. */
export function AccountPage({
  session,
  sessions,
  timeZone,
  language,
  password,
}: {
  session: Session;
  sessions: readonly ActiveSession[];
  timeZone: FormState;
  language: FormState;
  password: FormState;
}) {
  const words = useWords();
  const { text, content } = words;
  return (
    <>
      <PageHeader
        title={text('account.title')}
        lead={content('account.signedInAs', { userName: ownName(words, session) })}
      />
      <Section id="time-zone" title={text('account.timeZone')} hint={text('account.timeZoneHint')}>
        <Form form={timeZone} action="/platform/account/time-zone">
          <Select form={timeZone} name="tz" label={text('account.zone')} options={zoneOptions(session.timeZone)} />
          <Actions>
            <Button kind="quiet">{text('account.saveZone')}</Button>
          </Actions>
        </Form>
      </Section>
      <Section id="language" title={text('account.language')} hint={text('account.languageHint')}>
        <Form form={language} action="/platform/account/language">
          <Select form={language} name="language" label={text('account.languageOf')} options={languageOptions(words)} />
          <Actions>
            <Button kind="quiet">{text('account.saveLanguage')}</Button>
          </Actions>
        </Form>
      </Section>
      <Section id="password" title={text('account.password')} hint={text('account.passwordHint')}>
        <PasswordForm form={password} userName={session.userName} />
      </Section>
      <Section id="mail" title={text('mail.title')} hint={text('mail.accountHint')}>
        <Actions>
          <ButtonLink href={MAIL}>{text('mail.manage')}</ButtonLink>
        </Actions>
      </Section>
      <Section id="factors" title={text('factors.title')} hint={text('account.factorsHint')}>
        <p>{text(session.hasFactor ? 'account.factorsOn' : 'account.factorsOff')}</p>
        <Actions>
          <ButtonLink href={FACTORS}>{text('account.manageFactors')}</ButtonLink>
        </Actions>
      </Section>
      <Section id="passkeys" title={text('passkeys.title')} hint={text('passkeys.lead')}>
        <Actions>
          <ButtonLink href={PASSKEYS}>{text('account.passkeys')}</ButtonLink>
        </Actions>
      </Section>
      <Section id="sessions" title={text('account.sessions')} hint={text('account.sessionsHint')}>
        <Table caption={text('account.sessions')} columns={columnsIn(words, session.timeZone)} rows={sessions} />
        <Actions>
          {sessions.length > 1 && (
            <ButtonLink href="/platform/account/sessions/others/end" confirms>
              {text('account.signOutElsewhere')}
            </ButtonLink>
          )}
          <ButtonLink href={HISTORY}>{text('signIns.title')}</ButtonLink>
        </Actions>
      </Section>
      <ProgramSections />
      <Section id="data" title={text('account.data')} hint={text('account.dataHint')}>
        <Actions>
          <ButtonLink href={OWN_DATA}>{text('account.download')}</ButtonLink>
        </Actions>
      </Section>
      <Section id="deletion" title={text('kit.delete')} hint={text('account.deleteHint')}>
        <Actions>
          <ButtonLink href="/platform/account/delete" kind="danger">
            {text('account.delete')}
          </ButtonLink>
        </Actions>
      </Section>
    </>
  );
}

function PasswordForm({ form, userName }: { form: FormState; userName: string }) {
  const { text } = useWords();
  const shared = { form, type: 'password' } as const;
  return (
    <Form form={form} action="/platform/account/password">
      <OwnUserName name={userName} />
      <Field
        {...shared}
        name="current_password"
        label={text('account.currentPassword')}
        autocomplete="current-password"
      />
      <Field
        {...shared}
        name="new_password"
        label={text('account.newPassword')}
        autocomplete="new-password"
        hint={text('account.newPasswordHint')}
      />
      <Field
        {...shared}
        name="new_password_again"
        label={text('account.confirmPassword')}
        autocomplete="new-password"
      />
      <Actions>
        <Button>{text('account.changePassword')}</Button>
      </Actions>
    </Form>
  );
}

function columnsIn(words: PageWords, timeZone: string): readonly Column<ActiveSession>[] {
  const { text } = words;
  return [
    {
      label: text('account.browser'),
      cell: (session) => (
        <>
          {nameOfDevice(words, session)}{' '}
          {session.isCurrent && <Badge kind="success">{text('account.thisBrowser')}</Badge>}
          <div class="quiet">
            {session.country !== null && <>{nameOfPlace(words, session.country)} · </>}
            {nameOfWay(words, session.beganBy)}
          </div>
        </>
      ),
    },
    { label: text('account.signedIn'), cell: ({ startedAt }) => <Time at={startedAt} timeZone={timeZone} /> },
    { label: text('account.lastActive'), cell: ({ seenAt }) => <Time at={seenAt} timeZone={timeZone} /> },
    {
      label: text('kit.actions'),
      isActions: true,
      cell: (session) =>
        session.isCurrent ? null : (
          <ButtonLink
            href={`/platform/account/sessions/${session.id}/end`}
            label={text('account.endOf', { browser: nameOfDevice(words, session) })}
            small
            confirms
          >
            {text('account.end')}
          </ButtonLink>
        ),
    },
  ];
}
