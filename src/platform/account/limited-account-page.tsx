import type { Session } from '../../accounts/sessions/session.ts';
import { ButtonLink, Actions } from '../kit/button.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { useWords } from '../words.tsx';
import { PASSWORDS } from './application-passwords-page.tsx';

/** The page of an account in a session that opens one workspace alone: nothing of it but what that session creates. */
export function LimitedAccountPage({ session, workspace }: { session: Session; workspace: string }) {
  const { text, content } = useWords();
  return (
    <>
      <PageHeader title={text('account.title')} lead={content('account.signedInAs', { userName: session.shownName })} />
      <Section id="limit" title={text('account.limited')}>
        <p>{content('account.limitedHint', { workspace })}</p>
      </Section>
      <Section
        id="application-passwords"
        title={text('applicationPasswords.title')}
        hint={text('applicationPasswords.accountHint')}
      >
        <Actions>
          <ButtonLink href={PASSWORDS}>{text('applicationPasswords.manage')}</ButtonLink>
        </Actions>
      </Section>
      <Section id="applications" title={text('applications.title')} hint={text('applications.accountHint')}>
        <Actions>
          <ButtonLink href="/platform/account/applications">{text('applications.show')}</ButtonLink>
        </Actions>
      </Section>
    </>
  );
}
