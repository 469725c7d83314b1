import { Hono } from 'hono';
import { getSummary, type Summary } from '../../clicks/summary.ts';
import { readQuery } from '../../http/query.ts';
import { findLinks } from '../../links/list/find-many.ts';
import type { ManagedLink } from '../../links/managed.ts';
import { shortUrlOf } from '../../links/short-url.ts';
import { parseFields } from '../../validation.ts';
import { BreakdownPanel, ClicksByDay, periodFields, Periods, VisitPanels } from './clicks.tsx';
import { curlCreate } from '../keys/curl.ts';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { inClient, signedIn } from '../guard.ts';
import { layOutBars, type Bars } from '../kit/bars.ts';
import { ButtonLink } from '../kit/button.tsx';
import { CodeBlock, CopyField } from '../kit/copy.tsx';
import { EmptyState } from '../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { shown } from '../links/shown.ts';
import { linkPath } from '../links/paths.ts';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';

const SHOWN = ['country', 'referrer', 'device'] as const;
const TOP_LINKS = 8;

/** The first page of a client: the click statistics of its links. */
export function overviewPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform/c/:client', signedIn, inClient, async (c) => {
    const { days } = parseFields(periodFields(), readQuery(c));
    const { db, statistics, actor, client, session, site } = c.var;
    const range = { days, tz: session.timeZone, client_id: client.id };
    const summary = await getSummary({ db, statistics }, actor.credential, CLIENT, range, ['link', ...SHOWN]);
    const ids = mostClicked(summary);
    const links = ids.length === 0 ? [] : await findLinks(db, actor, ids);
    const addresses = new Map(links.map((link) => [link.id, { link, shortUrl: shortUrlOf(link, site) }]));
    return page(
      c,
      { title: 'Overview' },
      <Overview
        {...{ client, days, summary, addresses }}
        bars={layOutBars(summary.days)}
        origin={(site.publicUrl ?? site.requestUrl).origin}
      />,
    );
  });

  return pages;
}

const CLIENT = { kind: 'client' } as const;

type Shown = Summary<'link' | (typeof SHOWN)[number]>;

function mostClicked({ by }: Shown): string[] {
  return by.link
    .flatMap(({ key, ...counts }) => (key === null || key === 'other' ? [] : [{ key, ...counts }]))
    .toSorted((a, b) => b.humans - a.humans || b.total - a.total)
    .slice(0, TOP_LINKS)
    .map(({ key }) => key);
}

interface OverviewProps {
  readonly client: OwnClient;
  readonly days: number;
  readonly summary: Shown;
  /** The most clicked links whose content still exists. */
  readonly addresses: ReadonlyMap<string, { readonly link: ManagedLink; readonly shortUrl: string }>;
  readonly bars: Bars;
  readonly origin: string;
}

function Overview({ client, days, summary, addresses, bars, origin }: OverviewProps) {
  const path = clientPath(client);
  const nameOf = (id: string | null) => {
    const known = id === null ? undefined : addresses.get(id);
    if (!known) return <span class="quiet">Deleted link ({id})</span>;
    return (
      <a class="two-lines" href={linkPath(client, known.link.id)}>
        <span>{shown(known.shortUrl)}</span>
        <span class="quiet cut">{known.link.url}</span>
      </a>
    );
  };
  return (
    <>
      <PageHeader
        title="Overview"
        lead="Clicks on all links of this workspace."
        actions={<Periods path={path} days={days} />}
      />
      {summary.total === 0 ? (
        <EmptyState
          title={`No clicks in the last ${days} days`}
          action={<ButtonLink href={`${path}/links/new`}>Create link</ButtonLink>}
        >
          Create a short link and share it. Clicks appear here within seconds.
        </EmptyState>
      ) : (
        <>
          <ClicksByDay summary={summary} bars={bars} />
          <VisitPanels by={summary.by} shown={SHOWN}>
            <BreakdownPanel
              id="by-link"
              title="Top links"
              label="Link"
              rows={summary.by.link}
              nameOf={nameOf}
              total={summary}
              note="Up to 200 links are counted separately for each UTC day."
            />
          </VisitPanels>
        </>
      )}
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
