import { Hono } from 'hono';
import type { PlatformEnv } from './env.ts';
import { seeOther } from './flash.ts';
import { signedIn } from './guard.ts';
import { ButtonLink } from './kit/button.tsx';
import { EmptyState } from './kit/notice.tsx';
import { clientPath } from './nav.ts';
import { page } from './page.tsx';

/** The page after signing in. */
export function homePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform', signedIn, (c) => {
    const { clients, deletedClients } = c.var.session;
    const first = clients[0] ?? deletedClients[0];
    if (first) return seeOther(c, clientPath(first));
    return page(c, { title: 'No workspace yet', narrow: true }, <NoClient userName={c.var.session.userName} />);
  });

  return pages;
}

function NoClient({ userName }: { userName: string }) {
  return (
    <EmptyState
      title="You are not a member of a workspace yet"
      action={<ButtonLink href="/platform/account">Your account</ButtonLink>}
    >
      Links, API keys and domains belong to workspaces. Ask an owner for an invite link, and open it in this browser to
      join as <bdi>{userName}</bdi>.
    </EmptyState>
  );
}
