import type { Child } from 'hono/jsx';
import { daysBetween } from '../../time/day.ts';
import type { OwnClient } from '../env.ts';
import { LineChart, type ChartRow } from '../kit/chart.tsx';
import { EmptyState, Notice } from '../kit/notice.tsx';
import { useWords } from '../words.tsx';
import { Cards, WholeBreakdown } from './card.tsx';
import { chartRows, rangeOf, TITLES } from './chart-rows.ts';
import { Filters, Limits, Periods } from './controls.tsx';
import { GRAPH, graphOf, visitorNote, type Total } from './graphs.ts';
import { noClicks } from './periods.ts';
import { PinKeys } from './pin-keys.tsx';
import { pinsOf, type Pin } from './pins.ts';
import type { ShownStatistics, Statistics } from './read-statistics.ts';
import { sentenceOf } from './said-words.ts';
import { factsOf } from './said.ts';
import { Totals } from './totals.tsx';

const ZONES = { hour: 'clicks.hoursIn', day: 'clicks.daysIn', week: 'clicks.weeksIn' } as const;

/** The style sheets of pages with click statistics. */
export const STATISTICS_STYLES = ['statistics.css'] as const;

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
  const words = useWords();
  const { text } = words;
  if (statistics === 'unavailable') return <Notice kind="warning">{text('clicks.unavailable')}</Notice>;
  const { report, view, faults } = statistics;
  const isKnown = report.filteredFrom === null;
  const isFiltered = Object.keys(view.filters).length > 0;
  return (
    <section class="clicks" aria-label={text('clicks.statistics')}>
      {faults.length > 0 && (
        <Notice kind="warning">
          {faults.map((sentence) => (
            <p>{sentence}</p>
          ))}
        </Notice>
      )}
      <Periods {...statistics} />
      <Filters {...statistics} />
      {report.total === 0 ? (
        <EmptyState
          title={noClicks(words, view.chosen, isKnown)}
          {...(!isFiltered && empty.action !== undefined && { action: empty.action })}
        >
          {isFiltered ? text(isKnown ? 'clicks.noMatch' : 'clicks.noMatchKnown') : empty.text}
        </EmptyState>
      ) : view.card === null ? (
        <>
          <Graph {...statistics} />
          <Cards statistics={statistics} client={client} />
        </>
      ) : (
        <WholeBreakdown statistics={statistics} client={client} dimension={view.card} />
      )}
      <Limits {...statistics} />
    </section>
  );
}

/** The totals, and the chosen one in time. */
function Graph(statistics: Statistics) {
  const words = useWords();
  const { text } = words;
  const { report, view, unit, events } = statistics;
  const shown = graphOf(report, view.graph);
  const rows = chartRows(words, statistics, shown.name);
  const pins = pinsOf(report, events);
  const note = visitorNote(words, report);
  const { before, tz } = report;
  const rangeBefore = before && rangeOf(words, before.from, before.to);
  // These are counted by whole days of UTC.
  const isByUtcDay = shown.name === 'visitors' || shown.name === 'qr';
  return (
    <section class="graph" aria-label={text('clicks.clicks')}>
      <Totals {...statistics} shown={shown.name} />
      {note !== null && <p class="quiet">{note}</p>}
      <Said {...{ statistics, shown, rows, pins }} />
      <LineChart
        title={text(TITLES[unit])}
        label={text(GRAPH[shown.name].title)}
        rows={rows}
        pins={pins.map(({ index }) => index)}
        legend={{
          now: rangeOf(words, report.from, report.to),
          before:
            before?.until == null || rangeBefore === null || isByUtcDay
              ? rangeBefore
              : text('clicks.rangeUntil', { range: rangeBefore, time: words.instant(before.until, tz) }),
          zone: text(ZONES[unit], { zone: (isByUtcDay ? 'UTC' : tz).replaceAll('_', ' ') }),
        }}
      >
        <PinKeys pins={pins} tz={tz} />
      </LineChart>
    </section>
  );
}

/** The sentences that say what the chart shows; none where there is nothing to say. */
function Said({
  statistics: { report, unit },
  shown: { name, compared },
  rows,
  pins,
}: {
  statistics: Statistics;
  shown: Total;
  rows: readonly ChartRow[];
  pins: readonly Pin[];
}) {
  const words = useWords();
  const { before, from, to } = report;
  const isRunning = rows.some(({ state }) => state !== 'over');
  const span = before?.until != null ? 'same hour' : 'whole';
  const facts = factsOf({
    unit,
    rows: rows.filter(({ state }) => state !== 'future'),
    compared: compared && {
      ...compared,
      days: daysBetween(from, to) + 1,
      span: name === 'visitors' && isRunning ? 'without today' : name === 'visitors' ? 'whole' : span,
    },
    pins,
  });
  const [lead, ...more] = facts.map((fact) => sentenceOf(words, fact, name));
  if (lead === undefined) return null;
  return (
    <p class="said">
      <b>{lead}</b>
      {more.map((sentence) => ` ${sentence}`)}
    </p>
  );
}
