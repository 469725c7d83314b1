import type { PropsWithChildren } from 'hono/jsx';
import { Actions, ButtonLink } from '../kit/button.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';

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
  return (
    <>
      <PageHeader title={title} crumb={{ href: back, label: 'Members' }} />
      <Notice kind="warning">Copy the link now. It is shown only once.</Notice>
      <Section
        id="link"
        title="Link"
        hint={
          <>
            It can be used once and expires on <Time at={expiresAt} timeZone={timeZone} />.
          </>
        }
      >
        <CopyField id="once-link" label={label} value={url} wide />
        <p>{children}</p>
        <Actions>
          <ButtonLink href={back}>Done</ButtonLink>
        </Actions>
      </Section>
    </>
  );
}
