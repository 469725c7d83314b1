import type { OtherOwner } from '../../accounts/members/other-owners.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import { PageHeader, Section } from '../kit/section.tsx';
import { ownName, personName } from '../person-name.ts';
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
  owners: readonly OtherOwner[];
}) {
  const words = useWords();
  const { text, content } = words;
  return (
    <>
      <PageHeader
        title={text('account.title')}
        lead={content('account.signedInAs', { userName: ownName(words, session) })}
      />
      <Section id="limit" title={text('account.limited')}>
        <p>{content('account.limitedHint', { workspace })}</p>
        {owners.length === 0 ? (
          <p>{content('account.limitedOnlyOwner', { workspace })}</p>
        ) : (
          <>
            <p>{content('account.limitedRemoval', { workspace })}</p>
            <ul class="plain-list">
              {owners.map(({ name, given }) => (
                <li>
                  <bdi>{personName(words, name, given)}</bdi>
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
