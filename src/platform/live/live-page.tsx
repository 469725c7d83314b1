import type { OwnClient } from '../env.ts';
import { ButtonLink } from '../kit/button.tsx';
import { EmptyState, Notice } from '../kit/notice.tsx';
import { PageHeader } from '../kit/section.tsx';
import { Table } from '../kit/table.tsx';
import { nameTime } from '../kit/time.tsx';
import { linkPath } from '../links/paths.ts';
import { displayUrl } from '../links/display-url.ts';
import { clientPath } from '../nav.ts';
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
  const here = livePath(client, link?.id);
  return (
    <>
      <PageHeader
        title="Live"
        lead={
          link === null ? (
            'Clicks on all links of this workspace, within eight seconds.'
          ) : (
            <>
              Clicks on <a href={linkPath(client, link.id)}>{displayUrl(link.shortUrl)}</a>, within eight seconds.
            </>
          )
        }
        crumb={{ href: clientPath(client), label: 'Overview' }}
        actions={link !== null && <ButtonLink href={livePath(client)}>All links</ButtonLink>}
      />
      {!isKnown && (
        <Notice kind="warning">The clicks are temporarily unavailable. Reload the page in a few seconds.</Notice>
      )}
      <section
        aria-label="Live clicks"
        data-stream={streamPath(client, link?.id ?? null)}
        data-last={lastId}
        data-now={now}
      >
        <div class="live-bar">
          <p data-live-state>Clicks until {nameTime(now, timeZone)}. Refresh to see newer ones.</p>
          <p class="live-count" data-live-count></p>
          <a class="button quiet" href={here} data-live-refresh>
            Refresh
          </a>
          <button type="button" class="button quiet" data-live-pause hidden>
            Pause
          </button>
        </div>
        <div data-live-empty hidden={clicks.length > 0 || !isKnown}>
          <EmptyState
            title="No recent clicks"
            action={
              link === null ? (
                <ButtonLink href={clientPath(client, 'links')}>Open links</ButtonLink>
              ) : (
                <ButtonLink href={linkPath(client, link.id)}>Open analytics</ButtonLink>
              )
            }
          >
            Open a short link to see its click here. Earlier clicks are in the analytics.
          </EmptyState>
        </div>
        <div class="panel" data-live-rows hidden={clicks.length === 0}>
          <Table caption="The last clicks, newest first" columns={columnsOf(client, timeZone)} rows={clicks} />
        </div>
      </section>
    </>
  );
}
