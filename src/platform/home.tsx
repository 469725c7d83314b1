import { Hono } from 'hono';
import type { OwnClient, PlatformEnv } from './env.ts';
import { seeOther } from './flash.ts';
import { inClient, signedIn } from './guard.ts';
import { ButtonLink } from './kit/button.tsx';
import { CodeBlock, CopyField } from './kit/copy.tsx';
import { EmptyState } from './kit/notice.tsx';
import { Facts, PageHeader, Section } from './kit/section.tsx';
import { clientPath } from './nav.ts';
import { page } from './page.tsx';

/** Where a user arrives, and the first page of a client. */
export function homePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform', signedIn, (c) => {
    const [first] = c.var.session.clients;
    if (first) return seeOther(c, clientPath(first));
    return page(c, { title: 'No client yet', narrow: true }, <NoClient userName={c.var.session.userName} />);
  });

  pages.get('/platform/c/:client', signedIn, inClient, (c) => {
    const { publicUrl, requestUrl } = c.var.site;
    const { origin } = publicUrl ?? requestUrl;
    return page(c, { title: c.var.client.id }, <Home client={c.var.client} origin={origin} />);
  });

  return pages;
}

function NoClient({ userName }: { userName: string }) {
  return (
    <EmptyState
      title="You belong to no client yet"
      action={<ButtonLink href="/platform/account">Your account</ButtonLink>}
    >
      Links, keys and domains belong to clients. Ask an owner of one for an invite, and tell them your user name,{' '}
      {userName}.
    </EmptyState>
  );
}

function Home({ client, origin }: { client: OwnClient; origin: string }) {
  const curl = `curl ${origin}/v1/links -H 'X-API-Key: API_KEY' \\\n  -F client_id=${client.id} -F url=https://example.com/page`;
  return (
    <>
      <PageHeader title="Overview" lead="What programs need to make short links for this client." />
      <Section id="client" title="Client" hint="Every link names the client that it belongs to.">
        <CopyField id="client-id" label="Client ID" value={client.id} />
        <Facts
          facts={[
            { term: 'Your role', value: client.role === 'owner' ? 'Owner' : 'Member' },
            { term: 'Service', value: <code>{origin}</code> },
          ]}
        />
      </Section>
      <Section id="first-link" title="Make a link" hint="With an API key of this client in place of API_KEY.">
        <CodeBlock id="curl" label="curl" code={curl} />
      </Section>
    </>
  );
}
