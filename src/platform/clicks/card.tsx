import type { StatsRow } from '../../clicks/breakdown.ts';
import type { Counts } from '../../clicks/link-clicks.ts';
import type { Dimension } from '../../clicks/report.ts';
import type { OwnClient } from '../env.ts';
import { formatCount } from '../kit/numbers.ts';
import { WORDS } from './cards.ts';
import { GRAPH, graphOf } from './graphs.ts';
import { WorldMap } from './map.tsx';
import type { Statistics } from './read-statistics.ts';
import { MAX_LISTED, MAX_SHOWN, shownRows } from './shown-rows.ts';
import { Change } from './totals.tsx';
import { Value } from './value.tsx';
import { addressOf } from './view.ts';

interface BreakdownProps {
  readonly statistics: Statistics;
  /** Null for a visitor, who is shown no links to other pages. */
  readonly client: OwnClient | null;
  readonly dimension: Dimension;
}

/** The first values of the breakdowns of a page, and links to the others. */
export function Cards({ statistics, client }: Omit<BreakdownProps, 'dimension'>) {
  const { scope, view } = statistics;
  const { cards, more } = scope.breakdowns;
  return (
    <>
      <div class="cards">
        {cards.map((dimension) => (
          <Card {...{ statistics, client, dimension }} />
        ))}
      </div>
      <nav class="all-breakdowns" aria-label="Further breakdowns">
        <span class="quiet">More:</span>
        {more.map((card) => (
          <a href={addressOf(scope.path, { ...view, card })}>{WORDS[card].title}</a>
        ))}
      </nav>
    </>
  );
}

function Card(props: BreakdownProps) {
  const { statistics, dimension } = props;
  const { scope, view, report } = statistics;
  const { title, label } = WORDS[dimension];
  const { kind } = GRAPH[graphOf(report, view.graph).name];
  const rows = report.by[dimension];
  const shown = shownRows(rows ?? [], kind, MAX_SHOWN);
  const whole = addressOf(scope.path, { ...view, card: dimension });
  return (
    <section class="card" aria-labelledby={`by-${dimension}`}>
      <header>
        <h2 id={`by-${dimension}`}>{title}</h2>
        {isKnown(shown.named, dimension) && (
          <a href={whole} aria-label={`All ${formatCount(shown.count)}: ${title}`}>
            All {formatCount(shown.count)}
          </a>
        )}
      </header>
      {rows === undefined ? (
        <p>
          <a href={whole}>Count each link with these filters</a>
        </p>
      ) : isKnown(shown.named, dimension) ? (
        <Rows {...props} {...{ kind, shown }} />
      ) : (
        <p class="quiet">No {withinSentence(label)} is known.</p>
      )}
    </section>
  );
}

/** A visit without a referrer is a known value, unlike other rows without a key. */
const isKnown = (named: readonly StatsRow[], dimension: Dimension): boolean =>
  named.some(({ key }) => key !== null) || dimension === 'referrer';

const withinSentence = (label: string): string => label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

interface RowsProps extends BreakdownProps {
  readonly kind: keyof Counts;
  readonly shown: ReturnType<typeof shownRows>;
}

/** The values with the numbers of the chosen graph, and how they differ from those of the days before. */
function Rows({ kind, shown: { named, others }, ...props }: RowsProps) {
  const { statistics, dimension } = props;
  const { title, label } = WORDS[dimension];
  const before = beforeOf(statistics, dimension);
  const former = (key: string | null) => (before === null ? 0 : (before.get(key)?.[kind] ?? 0));
  // Others of its numbers are not shown here.
  const rows = named.filter((row) => row[kind] > 0 || former(row.key) > 0);
  const most = Math.max(1, ...rows.flatMap((row) => [row[kind], former(row.key)]));
  return (
    <table class={before ? 'breakdown compared' : 'breakdown'}>
      <caption class="unseen">{title}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">{label}</th>
          <th scope="col">{COLUMNS.find(([, each]) => each === kind)?.[0]}</th>
          {before && <th scope="col">Change</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row">
              <Bar share={row[kind] / most} before={before && former(row.key) / most} />
              <Value {...props} value={row.key} />
            </th>
            <td>{formatCount(row[kind])}</td>
            {before && (
              <td>
                <Change now={row[kind]} before={former(row.key)} />
              </td>
            )}
          </tr>
        ))}
        {others[kind] > 0 && (
          <tr>
            <th scope="row" class="quiet">
              All others
            </th>
            <td>{formatCount(others[kind])}</td>
            {before && <td></td>}
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** The rows of the days before by their keys; null if they cannot be compared. */
function beforeOf({ report }: Statistics, dimension: Dimension): ReadonlyMap<string | null, StatsRow> | null {
  const { before, filteredFrom } = report;
  if (before === null || before.filteredFrom !== null || filteredFrom !== null) return null;
  return new Map((before.by[dimension] ?? []).map((row) => [row.key, row]));
}

const COLUMNS = [
  ['Visits', 'humans'],
  ['Link previews', 'previews'],
  ['Bots', 'bots'],
] as const satisfies readonly (readonly [string, keyof Counts])[];

/** The share of the highest number behind the text, cut off at a slant, with a tick below it for that of the days before. */
function Bar({ share, before }: { share: number; before: number | null }) {
  if (share === 0 && !before) return null;
  const end = Math.round(1000 * share) / 10;
  const tick = before === null ? null : Math.round(1000 * before) / 10;
  return (
    <svg class="len" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      {share > 0 && <path d={`M0 0H${end}l-${Math.min(1.4, end)} 1H0z`} />}
      {tick !== null && tick > 0 && <path class="former" d={`M${tick} .7V1`} />}
    </svg>
  );
}

/** All values of one breakdown, as far as a page has room for them, with every kind of visitor. */
export function WholeBreakdown({ statistics, client, dimension }: BreakdownProps) {
  const { scope, view, report } = statistics;
  const { title, label } = WORDS[dimension];
  const shown = shownRows(report.by[dimension] ?? [], 'humans', MAX_LISTED);
  return (
    <section class="panel listed" aria-labelledby="whole">
      <header>
        <h2 id="whole">{title}</h2>
        <a href={addressOf(scope.path, { ...view, card: null })}>All statistics</a>
        {!scope.isPublic && (
          <a
            href={addressOf(scope.path, view, { csv: dimension })}
            aria-label={`${title} as CSV`}
            download={`clicks-by-${dimension}.csv`}
          >
            CSV
          </a>
        )}
      </header>
      {dimension === 'country' && <WorldMap {...statistics} />}
      {isKnown(shown.named, dimension) ? (
        <WholeRows {...{ statistics, client, dimension, shown }} />
      ) : (
        <p class="quiet">No {withinSentence(label)} is known.</p>
      )}
      {dimension === 'link' && <p class="quiet">Up to 200 links are counted separately for each UTC day.</p>}
    </section>
  );
}

function WholeRows({ shown: { named, others }, ...props }: Omit<RowsProps, 'kind'>) {
  const { statistics, dimension } = props;
  const { report } = statistics;
  const before = beforeOf(statistics, dimension);
  const columns = COLUMNS.filter(([, kind]) => kind === 'humans' || report[kind] > 0);
  const most = Math.max(1, ...named.map(({ humans }) => humans));
  const share = (humans: number) => (report.humans === 0 ? '' : `${Math.round((100 * humans) / report.humans)} %`);
  const cells = (row: Counts) => [
    ...columns.map(([, kind]) => <td class={kind === 'humans' ? undefined : 'minor'}>{formatCount(row[kind])}</td>),
    <td>{share(row.humans)}</td>,
  ];
  return (
    <table class="counts breakdown">
      <caption class="unseen">{WORDS[dimension].title}</caption>
      <thead>
        <tr>
          <th scope="col">{WORDS[dimension].label}</th>
          {columns.map(([heading, kind]) => (
            <th scope="col" class={kind === 'humans' ? undefined : 'minor'}>
              {heading}
            </th>
          ))}
          <th scope="col">Share</th>
          {before && <th scope="col">Change</th>}
        </tr>
      </thead>
      <tbody>
        {named.map((row) => (
          <tr>
            <th scope="row">
              <Bar share={row.humans / most} before={null} />
              <Value {...props} value={row.key} />
            </th>
            {cells(row)}
            {before && (
              <td>
                <Change now={row.humans} before={before.get(row.key)?.humans ?? 0} />
              </td>
            )}
          </tr>
        ))}
        {others.total > 0 && (
          <tr>
            <th scope="row" class="quiet">
              All others
            </th>
            {cells(others)}
            {before && <td></td>}
          </tr>
        )}
      </tbody>
    </table>
  );
}
