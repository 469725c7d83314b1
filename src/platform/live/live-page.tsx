import type { OwnClient } from '../env.ts';
import { ButtonLink } from '../kit/button.tsx';
import { EmptyState, Notice } from '../kit/notice.tsx';
import { PageHeader } from '../kit/section.tsx';
import { Table } from '../kit/table.tsx';
import { linkPath } from '../links/paths.ts';
import { displayUrl } from '../links/display-url.ts';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { columnsOf, type ShownClick } from './click-row.tsx';
import { livePath, streamPath } from './paths.ts';

interface LivePageProps {
  readonly client: OwnClient;
  /** The only link whose clicks are shown, with its short link; null for all. */
  readonly link: { readonly id: string; readonly shortUrl: string } | null;
  /** True if the last clicks are known; not if the statistics do not respond. */
  readonly isKnown: boolean;
  /** The last clicks, newest first. */
  readonly clicks: readonly ShownClick[];
  /** The event after which the stream of the page continues. */
  readonly lastId: string;
  /** When the clicks were read, in milliseconds since the epoch. */
  readonly now: number;
  readonly timeZone: string;
}

/** Clicks as they are counted. Without scripts it shows the last ones, and is refreshed by a link. */
export function LivePage({ client, link, isKnown, clicks, lastId, now, timeZone }: LivePageProps) {
  const words = useWords();
  const { text } = words;
  const here = livePath(client, link?.id);
  return (
    <>
      <PageHeader
        title={text('live.title')}
        lead={
          link === null
            ? text('live.leadOfAll')
            : words.content('live.leadOfLink', {
                link: displayUrl(link.shortUrl),
                a: (inside) => <a href={linkPath(client, link.id)}>{inside}</a>,
              })
        }
        crumb={{ href: clientPath(client), label: text('nav.overview') }}
        actions={link !== null && <ButtonLink href={livePath(client)}>{text('live.allLinks')}</ButtonLink>}
      />
      {!isKnown && <Notice kind="warning">{text('clicks.unavailable')}</Notice>}
      <section
        aria-label={text('live.liveClicks')}
        data-stream={streamPath(client, link?.id ?? null)}
        data-last={lastId}
        data-now={now}
      >
        <div class="live-bar">
          <p data-live-state>{text('live.until', { time: words.time(now, timeZone) })}</p>
          <p class="live-count" data-live-count></p>
          <a class="button quiet" href={here} data-live-refresh>
            {text('live.refresh')}
          </a>
          <button type="button" class="button quiet" data-live-pause hidden>
            {text('live.pause')}
          </button>
        </div>
        <div data-live-empty hidden={clicks.length > 0 || !isKnown}>
          <EmptyState
            title={text('live.none')}
            action={
              link === null ? (
                <ButtonLink href={clientPath(client, 'links')}>{text('live.openLinks')}</ButtonLink>
              ) : (
                <ButtonLink href={linkPath(client, link.id)}>{text('live.openAnalytics')}</ButtonLink>
              )
            }
          >
            {text('live.noneHint')}
          </EmptyState>
        </div>
        <div class="panel" data-live-rows hidden={clicks.length === 0}>
          <Table caption={text('live.newestFirst')} columns={columnsOf(words, client, timeZone)} rows={clicks} />
        </div>
      </section>
    </>
  );
}
