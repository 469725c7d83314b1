import type { PropsWithChildren } from 'hono/jsx';
import { Actions, ButtonLink } from '../kit/button.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { timeIn } from '../kit/time.tsx';
import { useWords } from '../words.tsx';

/** Shows a one-time link, in the answer to the POST that created it. */
export function OnceLink({
  title,
  label,
  url,
  back,
  expiresAt,
  timeZone,
  children,
}: PropsWithChildren<{
  title: string;
  label: string;
  url: string;
  /** The path of the members' page. */
  back: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  timeZone: string;
}>) {
  const words = useWords();
  const { text } = words;
  return (
    <>
      <PageHeader title={title} crumb={{ href: back, label: text('members.title') }} />
      <Notice kind="warning">{text('members.copyNow')}</Notice>
      <Section
        id="link"
        title={text('members.link')}
        hint={words.content('members.usedOnce', timeIn(words, expiresAt, timeZone))}
      >
        <CopyField id="once-link" label={label} value={url} wide />
        <p>{children}</p>
        <Actions>
          <ButtonLink href={back}>{text('kit.done')}</ButtonLink>
        </Actions>
      </Section>
    </>
  );
}
