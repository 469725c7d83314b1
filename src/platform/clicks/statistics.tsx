import type { Child } from 'hono/jsx';
import type { OwnClient } from '../env.ts';
import { ClickChart } from '../kit/chart.tsx';
import { EmptyState, Notice } from '../kit/notice.tsx';
import { Cards } from './card.tsx';
import { chartRows, TITLES } from './chart-rows.ts';
import { Days, Limits, Periods, Pills } from './controls.tsx';
import { wordsOf } from './periods.ts';
import type { ShownStatistics } from './read-statistics.ts';
import { Tiles, VisitorNote } from './tiles.tsx';

const UNITS = { hour: 'Hours', day: 'Days', week: 'Weeks' } as const;

/**
 * The click statistics of a page: of a whole client, or of one of its campaigns or links.
 *
 * @param client null for a visitor
 * @param empty what is shown where there are no clicks, if no filter is the reason
 */
export function ClickStatistics({
  statistics,
  client,
  empty,
}: {
  statistics: ShownStatistics;
  client: OwnClient | null;
  empty: { readonly text: string; readonly action?: Child };
}) {
  if (statistics === 'unavailable') {
    return <Notice kind="warning">The clicks are temporarily unavailable. Reload the page in a few seconds.</Notice>;
  }
  const { report, view, faults, unit } = statistics;
  const isKnown = report.filteredFrom === null;
  const isFiltered = Object.keys(view.filters).length > 0;
  return (
    <section class="clicks" aria-label="Click statistics">
      {faults.length > 0 && (
        <Notice kind="warning">
          {faults.map((sentence) => (
            <p>{sentence}</p>
          ))}
        </Notice>
      )}
      <Periods {...statistics} />
      <Pills {...statistics} />
      {report.total === 0 ? (
        <EmptyState
          title={`No clicks ${isKnown ? '' : 'are known '}${wordsOf(view.chosen)}`}
          {...(!isFiltered && empty.action !== undefined && { action: empty.action })}
        >
          {isFiltered
            ? `${isKnown ? 'No click matches all filters. ' : ''}Remove a filter, or choose other days.`
            : empty.text}
        </EmptyState>
      ) : (
        <>
          <section class="panel" aria-label="Clicks">
            <div class="panel-head">
              <Tiles report={report} />
              <Days {...statistics} />
            </div>
            <VisitorNote report={report} />
            <ClickChart
              title={TITLES[unit]}
              rows={chartRows(statistics)}
              zone={`${UNITS[unit]} in ${report.tz.replaceAll('_', ' ')}`}
            />
          </section>
          <Cards statistics={statistics} client={client} />
        </>
      )}
      <Limits {...statistics} />
    </section>
  );
}
