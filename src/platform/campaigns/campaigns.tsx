import { Hono } from 'hono';
import { listCampaigns, type Campaign } from '../../links/list/campaigns.ts';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { inClient, signedIn } from '../guard.ts';
import { ButtonLink } from '../kit/button.tsx';
import { EmptyState } from '../kit/notice.tsx';
import { formatCount } from '../kit/numbers.ts';
import { PageHeader } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { CountedLinks, countLinks } from '../links/link-counts.tsx';
import type { PageWords } from '../words.tsx';
import { pageOf, pagesOf } from '../list.ts';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { campaignPath, linksOfCampaign } from './paths.ts';

/** The campaigns of a client's links, and how often they were clicked. */
export function campaignPages(): Hono<PlatformEnv> {
  return new Hono<PlatformEnv>().get('/platform/c/:client/campaigns', signedIn, inClient, async (c) => {
    const { actor, client, session, words } = c.var;
    const { campaigns, cursor } = await listCampaigns(c.var, actor, pageOf(c, 'campaigns'));
    const { next, first } = pagesOf(c, cursor);
    const isNew = campaigns.length === 0 && first === null;
    return page(
      c,
      { title: 'Campaigns' },
      <>
        <PageHeader
          title="Campaigns"
          lead="The campaigns of your links, and the clicks by people that came while a link had one. The last click can also be that of a preview or a bot."
        />
        {isNew ? (
          <EmptyState
            title="No campaigns yet"
            action={<ButtonLink href={clientPath(client, 'links/new')}>Create link</ButtonLink>}
          >
            Give links the name of a campaign to see their clicks together.
          </EmptyState>
        ) : (
          <div class="panel">
            <Table caption="Campaigns" columns={columnsOf(words, client, session.timeZone)} rows={campaigns} />
          </div>
        )}
        <Pager next={next} first={first} />
      </>,
    );
  });
}

function columnsOf(words: PageWords, client: OwnClient, timeZone: string): readonly Column<Campaign>[] {
  return [
    {
      label: 'Campaign',
      isWide: true,
      cell: ({ name }) => (
        <a class="cut" dir="auto" title={name} href={campaignPath(client, name)}>
          {name}
        </a>
      ),
    },
    {
      label: 'Links',
      align: 'whole',
      cell: ({ name, links }) => (
        <CountedLinks
          links={links}
          href={linksOfCampaign(client, name)}
          label={words.text('campaigns.linksOf', { links: countLinks(words, links), name })}
        />
      ),
    },
    {
      label: 'Clicks by people',
      align: 'whole',
      cell: ({ humans }) => (humans === null ? <span class="quiet">Unknown</span> : formatCount(humans)),
    },
    {
      label: 'Last click',
      cell: ({ clicks, lastClickAt }) =>
        lastClickAt === null ? (
          <span class="quiet">{clicks === null ? 'Unknown' : 'None'}</span>
        ) : (
          <Time at={lastClickAt} timeZone={timeZone} />
        ),
    },
  ];
}
