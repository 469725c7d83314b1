import { Hono } from 'hono';
import { listCampaigns, type Campaign } from '../../links/list/campaigns.ts';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { inClient, signedIn } from '../guard.ts';
import { ButtonLink } from '../kit/button.tsx';
import { EmptyState } from '../kit/notice.tsx';
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
    const { text } = words;
    const { campaigns, cursor } = await listCampaigns(c.var, actor, pageOf(c, 'campaigns'));
    const { next, first } = pagesOf(c, cursor);
    const isNew = campaigns.length === 0 && first === null;
    return page(
      c,
      { title: text('campaigns.title') },
      <>
        <PageHeader title={text('campaigns.title')} lead={text('campaigns.lead')} />
        {isNew ? (
          <EmptyState
            title={text('campaigns.none')}
            action={
              <ButtonLink href={clientPath(client, 'links/new')} kind="primary">
                {text('kit.createLink')}
              </ButtonLink>
            }
          >
            {text('campaigns.noneHint')}
          </EmptyState>
        ) : (
          <div class="panel">
            <Table
              caption={text('campaigns.title')}
              columns={columnsOf(words, client, session.timeZone)}
              rows={campaigns}
            />
          </div>
        )}
        <Pager next={next} first={first} />
      </>,
    );
  });
}

function columnsOf(words: PageWords, client: OwnClient, timeZone: string): readonly Column<Campaign>[] {
  const { text } = words;
  return [
    {
      label: text('campaigns.campaign'),
      isWide: true,
      cell: ({ name }) => (
        <a class="cut" dir="auto" title={name} href={campaignPath(client, name)}>
          {name}
        </a>
      ),
    },
    {
      label: text('campaigns.links'),
      align: 'whole',
      cell: ({ name, links }) => (
        <CountedLinks
          links={links}
          href={linksOfCampaign(client, name)}
          label={text('campaigns.linksOf', { links: countLinks(words, links), name })}
        />
      ),
    },
    {
      label: text('campaigns.clicks'),
      align: 'whole',
      cell: ({ humans }) =>
        humans === null ? <span class="quiet">{text('campaigns.unknown')}</span> : words.count(humans),
    },
    {
      label: text('campaigns.lastClick'),
      cell: ({ clicks, lastClickAt }) =>
        lastClickAt === null ? (
          <span class="quiet">{text(clicks === null ? 'campaigns.unknown' : 'campaigns.noValue')}</span>
        ) : (
          <Time at={lastClickAt} timeZone={timeZone} />
        ),
    },
  ];
}
