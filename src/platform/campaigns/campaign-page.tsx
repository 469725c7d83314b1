import type { Child } from 'hono/jsx';
import type { getCampaign } from '../../links/list/campaigns.ts';
import type { ShownStatistics } from '../clicks/read-statistics.ts';
import { ClickStatistics } from '../clicks/statistics.tsx';
import type { OwnClient } from '../env.ts';
import { ButtonLink } from '../kit/button.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Time, timeIn } from '../kit/time.tsx';
import { countLinks } from '../links/link-counts.tsx';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { campaignPath, linksOfCampaign } from './paths.ts';

export type FoundCampaign = Awaited<ReturnType<typeof getCampaign>>;

/** One campaign. */
export function CampaignPage({
  client,
  campaign,
  statistics,
  timeZone,
}: {
  client: OwnClient;
  campaign: FoundCampaign;
  statistics: ShownStatistics;
  timeZone: string;
}) {
  const { name, links, newestAt, lastClickAt, clicks } = campaign;
  const words = useWords();
  const { text } = words;
  const counted = countLinks(words, links);
  const toLinks = (inside: Child) => <a href={linksOfCampaign(client, name)}>{inside}</a>;
  return (
    <>
      <PageHeader
        title={<bdi class="broken">{name}</bdi>}
        lead={
          links === 0 ? text('campaigns.isPast') : words.content('campaigns.ofLinks', { links: counted, a: toLinks })
        }
        crumb={{ href: clientPath(client, 'campaigns'), label: text('nav.campaigns') }}
        actions={
          links > 0 && <ButtonLink href={campaignPath(client, name, '/rename')}>{text('kit.rename')}</ButtonLink>
        }
      />
      <ClickStatistics
        {...{ statistics, client }}
        empty={
          links === 0
            ? { text: text('campaigns.isPastHint') }
            : {
                text: text('campaigns.shareHint'),
                action: <ButtonLink href={linksOfCampaign(client, name)}>{text('campaigns.showLinks')}</ButtonLink>,
              }
        }
      />
      <Section id="campaign" title={text('campaigns.campaign')} hint={text('campaigns.countsHint')}>
        <Facts
          facts={[
            { term: text('campaigns.links'), value: links === 0 ? text('campaigns.noValue') : toLinks(counted) },
            {
              term: text('campaigns.newestLink'),
              value: newestAt === null ? text('campaigns.noValue') : <Time at={newestAt} timeZone={timeZone} />,
            },
            {
              term: text('campaigns.lastClick'),
              value:
                lastClickAt === null
                  ? text(clicks === null ? 'campaigns.unknown' : 'campaigns.noValue')
                  : words.content('campaigns.lastClickAt', {
                      ...timeIn(words, lastClickAt, timeZone),
                      quiet: (inside) => <span class="quiet">{inside}</span>,
                    }),
            },
          ]}
        />
      </Section>
    </>
  );
}
