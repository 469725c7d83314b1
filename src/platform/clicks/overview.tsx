import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { curlCreate } from '../keys/curl.ts';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { inClient, signedIn } from '../guard.ts';
import { ButtonLink } from '../kit/button.tsx';
import { CodeBlock, CopyField } from '../kit/copy.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { clientPath } from '../nav.ts';
import { livePath } from '../live/paths.ts';
import { page } from '../page.tsx';
import { firstStepsOf } from '../workspace/first-steps.tsx';
import { readCsv, readStatisticsIfPossible, type Scope, type ShownStatistics } from './read-statistics.ts';
import { ClickStatistics } from './statistics.tsx';

/** The first page of a client: the click statistics of its links. */
export function overviewPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform/c/:client', signedIn, inClient, async (c) => {
    const { client, site } = c.var;
    const scope: Scope = { subject: { kind: 'client' }, path: clientPath(client), cards: CARDS };
    const file = await readCsv(c, scope);
    if (file) return file;
    const statistics = await readStatisticsIfPossible(c, scope);
    // Last, since it may write, and what follows a write could fail.
    const firstSteps = await firstStepsOf(c);
    const { origin } = site.publicUrl ?? site.requestUrl;
    return page(c, { title: 'Overview' }, <Overview {...{ client, statistics, firstSteps, origin }} />);
  });

  return pages;
}

const CARDS = ['sources', 'locations', 'technology', 'links'] as const;

interface OverviewProps {
  readonly client: OwnClient;
  readonly statistics: ShownStatistics;
  readonly firstSteps: Child;
  readonly origin: string;
}

function Overview({ client, statistics, firstSteps, origin }: OverviewProps) {
  return (
    <>
      <PageHeader
        title="Overview"
        lead="Clicks on all links of this workspace."
        actions={<ButtonLink href={livePath(client)}>Live</ButtonLink>}
      />
      {firstSteps}
      <ClickStatistics
        {...{ statistics, client }}
        empty={{
          text: 'Create a short link and share it. Clicks appear here within seconds.',
          action: <ButtonLink href={clientPath(client, 'links/new')}>Create link</ButtonLink>,
        }}
      />
      <Section id="client" title="Workspace" hint="Programs send this ID to the API, as client_id.">
        <CopyField id="client-id" label="Workspace ID" value={client.id} />
        <Facts
          facts={[
            { term: 'Your role', value: client.role === 'owner' ? 'Owner' : 'Member' },
            { term: 'Service', value: <code>{origin}</code> },
          ]}
        />
      </Section>
      <Section
        id="first-link"
        title="Create links with the API"
        hint="Replace API_KEY with an API key of this workspace."
      >
        <CodeBlock
          id="curl"
          label="curl"
          code={curlCreate(origin, { client_id: client.id, url: 'https://example.com/page' })}
        />
      </Section>
    </>
  );
}
