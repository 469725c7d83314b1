import type { Session } from '../../accounts/sessions/session.ts';
import { PageHeader, Section } from '../kit/section.tsx';
import { useWords } from '../words.tsx';
import { ProgramSections } from './program-sections.tsx';

/** The page of an account in a session that opens one workspace alone: nothing of it but what that session creates. */
export function LimitedAccountPage({
  session,
  workspace,
  owners,
}: {
  session: Session;
  workspace: string;
  /** The names of the other owners of the workspace. */
  owners: readonly string[];
}) {
  const { text, content } = useWords();
  return (
    <>
      <PageHeader title={text('account.title')} lead={content('account.signedInAs', { userName: session.shownName })} />
      <Section id="limit" title={text('account.limited')}>
        <p>{content('account.limitedHint', { workspace })}</p>
        {owners.length === 0 ? (
          <p>{content('account.limitedOnlyOwner', { workspace })}</p>
        ) : (
          <>
            <p>{content('account.limitedRemoval', { workspace })}</p>
            <ul class="plain-list">
              {owners.map((name) => (
                <li>
                  <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </Section>
      <ProgramSections />
    </>
  );
}
