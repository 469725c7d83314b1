import type { Session } from '../../accounts/sessions/session.ts';
import { PageHeader, Section } from '../kit/section.tsx';
import { useWords } from '../words.tsx';
import { ProgramSections } from './program-sections.tsx';

/** The page of an account in a session that opens one workspace alone: nothing of it but what that session creates. */
export function LimitedAccountPage({ session, workspace }: { session: Session; workspace: string }) {
  const { text, content } = useWords();
  return (
    <>
      <PageHeader title={text('account.title')} lead={content('account.signedInAs', { userName: session.shownName })} />
      <Section id="limit" title={text('account.limited')}>
        <p>{content('account.limitedHint', { workspace })}</p>
      </Section>
      <ProgramSections />
    </>
  );
}
