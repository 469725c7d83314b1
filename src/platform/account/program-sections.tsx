import { Actions, ButtonLink } from '../kit/button.tsx';
import { Section } from '../kit/section.tsx';
import { useWords } from '../words.tsx';
import { PASSWORDS } from './application-passwords-page.tsx';

/** The sections of an account that lead to its application passwords and its connected applications. */
export function ProgramSections() {
  const { text } = useWords();
  return (
    <>
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
