import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { inClient, signedIn } from '../guard.ts';
import { ButtonLink } from '../kit/button.tsx';
import { PageHeader } from '../kit/section.tsx';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { clientPath } from '../nav.ts';
import { livePath } from '../live/paths.ts';
import { page } from '../page.tsx';
import { useWords } from '../words.tsx';
import { firstStepsOf } from '../workspace/first-steps.tsx';
import { listHappenings } from '../../links/list/happenings.ts';
import { BREAKDOWNS } from './cards.ts';
import { campaignEvents, importEvents } from './events.ts';
import { instantsAround } from './pins.ts';
import { keysOf, MAX_SHOWN, shownRows } from './shown-rows.ts';
import { readCsv, readStatisticsIfPossible, type Scope, type ShownStatistics } from './read-statistics.ts';
import { ClickStatistics, STATISTICS_STYLES } from './statistics.tsx';

/** The first page of a client: the click statistics of its links. */
export function overviewPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform/c/:client', signedIn, inClient, async (c) => {
    const { db, actor, client } = c.var;
    const readEvents: Scope['readEvents'] = async (report) => {
      const names = keysOf(shownRows(report.by.campaign ?? [], 'humans', MAX_SHOWN));
      const { starts, imports } = await listHappenings(db, actor, names, instantsAround(report));
      return [...campaignEvents(client, starts), ...importEvents(imports)];
    };
    const scope: Scope = {
      subject: { kind: 'client' },
      path: clientPath(client),
      breakdowns: BREAKDOWNS.client,
      sharePath: clientPath(client, 'share'),
      readEvents,
    };
    const file = await readCsv(c, scope);
    if (file) return file;
    const statistics = await readStatisticsIfPossible(c, scope);
    // Last, since it may write, and what follows a write could fail.
    const firstSteps = await firstStepsOf(c);
    return page(
      c,
      { title: c.var.words.text('nav.overview'), styles: [...STATISTICS_STYLES, ...SETTINGS_STYLES] },
      <Overview {...{ client, statistics, firstSteps }} />,
    );
  });

  return pages;
}

interface OverviewProps {
  readonly client: OwnClient;
  readonly statistics: ShownStatistics;
  readonly firstSteps: Child;
}

function Overview({ client, statistics, firstSteps }: OverviewProps) {
  const { text } = useWords();
  return (
    <>
      <PageHeader
        title={text('nav.overview')}
        actions={
          <a class="live" href={livePath(client)}>
            {text('clicks.live')}
          </a>
        }
      />
      {firstSteps}
      <ClickStatistics
        {...{ statistics, client }}
        empty={{
          text: text('clicks.firstHint'),
          action: <ButtonLink href={clientPath(client, 'links/new')}>{text('kit.createLink')}</ButtonLink>,
        }}
      />
    </>
  );
}
