import { Hono } from 'hono';
import type { PlatformEnv } from './env.ts';
import { seeOther } from './flash.ts';
import { signedIn } from './guard.ts';
import { ButtonLink } from './kit/button.tsx';
import { EmptyState } from './kit/notice.tsx';
import { lastClientOf } from './last-client.ts';
import { clientPath } from './nav.ts';
import { page } from './page.tsx';
import { ownName } from './person-name.ts';
import { useWords } from './words.tsx';

/** The page after signing in. */
export function homePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform', signedIn, (c) => {
    const { session } = c.var;
    const first = lastClientOf(c, session) ?? session.closedClients[0] ?? session.deletedClients[0];
    if (first) return seeOther(c, clientPath(first));
    return page(
      c,
      { title: c.var.words.text('home.noWorkspace'), narrow: true },
      <NoClient userName={ownName(c.var.words, c.var.session)} />,
    );
  });

  return pages;
}

function NoClient({ userName }: { userName: string }) {
  const { text, content } = useWords();
  return (
    <EmptyState
      title={text('home.notMember')}
      action={<ButtonLink href="/platform/account">{text('home.account')}</ButtonLink>}
    >
      {content('home.askOwner', { userName })}
    </EmptyState>
  );
}
