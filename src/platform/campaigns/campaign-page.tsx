import type { getCampaign } from '../../links/list/campaigns.ts';
import type { ShownStatistics } from '../clicks/read-statistics.ts';
import { ClickStatistics } from '../clicks/statistics.tsx';
import type { OwnClient } from '../env.ts';
import { ButtonLink } from '../kit/button.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';
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
  const toLinks = <a href={linksOfCampaign(client, name)}>{countLinks(words, links)}</a>;
  return (
    <>
      <PageHeader
        title={<bdi class="broken">{name}</bdi>}
        lead={links === 0 ? 'No link has this campaign any longer. Its clicks are kept.' : <>Campaign of {toLinks}.</>}
        crumb={{ href: clientPath(client, 'campaigns'), label: 'Campaigns' }}
        actions={links > 0 && <ButtonLink href={campaignPath(client, name, '/rename')}>Rename</ButtonLink>}
      />
      <ClickStatistics
        {...{ statistics, client }}
        empty={
          links === 0
            ? { text: 'No link has this campaign any longer. Choose other days to see its clicks.' }
            : {
                text: 'Share the short links of this campaign. Clicks appear here within seconds.',
                action: <ButtonLink href={linksOfCampaign(client, name)}>Show links</ButtonLink>,
              }
        }
      />
      <Section id="campaign" title="Campaign" hint="A click counts for the campaign that its link had at that moment.">
        <Facts
          facts={[
            { term: 'Links', value: links === 0 ? 'None' : toLinks },
            { term: 'Newest link', value: newestAt === null ? 'None' : <Time at={newestAt} timeZone={timeZone} /> },
            {
              term: 'Last click',
              value:
                lastClickAt === null ? (
                  clicks === null ? (
                    'Unknown'
                  ) : (
                    'None'
                  )
                ) : (
                  <>
                    <Time at={lastClickAt} timeZone={timeZone} />{' '}
                    <span class="quiet">by a person, a preview or a bot</span>
                  </>
                ),
            },
          ]}
        />
      </Section>
    </>
  );
}
