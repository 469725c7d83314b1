import type { StatsRow } from '../../clicks/breakdown.ts';
import type { Counts } from '../../clicks/link-clicks.ts';
import type { Dimension } from '../../clicks/report.ts';
import type { OwnClient } from '../env.ts';
import { useWords } from '../words.tsx';
import { NAMED } from './cards.ts';
import { kindOf } from './graphs.ts';
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

/** The first values of the breakdowns of a page, the sentences of those without values, and links to the others. */
export function Cards({ statistics, client }: Omit<BreakdownProps, 'dimension'>) {
  const { text } = useWords();
  const { scope, view, report } = statistics;
  const { cards, more } = scope.breakdowns;
  const kind = kindOf(report, view.graph);
  const isEmpty = (each: Dimension) =>
    report.by[each] !== undefined && !isKnown(shownRows(report.by[each], kind, MAX_SHOWN).named, each);
  const [empty, others] = [cards.filter(isEmpty), cards.filter((each) => !isEmpty(each))];
  return (
    <>
      {others.length > 0 && (
        <div class="cards">
          {others.map((dimension) => (
            <Card {...{ statistics, client, dimension }} />
          ))}
        </div>
      )}
      {empty.length > 0 && <p class="quiet">{empty.map((dimension) => text(NAMED[dimension].none)).join(' ')}</p>}
      <nav class="all-breakdowns" aria-label={text('clicks.furtherBreakdowns')}>
        <span class="quiet">{text('clicks.moreBreakdowns')}</span>
        {more.map((card) => (
          <a href={addressOf(scope.path, { ...view, card })}>{text(NAMED[card].title)}</a>
        ))}
      </nav>
    </>
  );
}

function Card(props: BreakdownProps) {
  const { statistics, dimension } = props;
  const { text } = useWords();
  const { scope, view, report } = statistics;
  const title = text(NAMED[dimension].title);
  const kind = kindOf(report, view.graph);
  const rows = report.by[dimension];
  const shown = shownRows(rows ?? [], kind, MAX_SHOWN);
  const whole = addressOf(scope.path, { ...view, card: dimension });
  return (
    <section class="card" aria-labelledby={`by-${dimension}`}>
      <header>
        <h2 id={`by-${dimension}`}>{title}</h2>
        {rows !== undefined && (
          <a href={whole} aria-label={text('clicks.allOf', { count: shown.count, title })}>
            {text('clicks.all', { count: shown.count })}
          </a>
        )}
      </header>
      {rows === undefined ? (
        <p>
          <a href={whole}>{text('clicks.countLinks')}</a>
        </p>
      ) : (
        <Rows {...props} {...{ kind, shown }} />
      )}
    </section>
  );
}

/** A visit without a referrer is a known value, unlike other rows without a key. */
const isKnown = (named: readonly StatsRow[], dimension: Dimension): boolean =>
  named.some(({ key }) => key !== null) || dimension === 'referrer';

interface RowsProps extends BreakdownProps {
  readonly kind: keyof typeof COLUMNS;
  readonly shown: ReturnType<typeof shownRows>;
}

/** The values with the numbers of the chosen graph, and how they differ from those of the days before. */
function Rows({ kind, shown: { named, others }, ...props }: RowsProps) {
  const { text, count } = useWords();
  const { statistics, dimension } = props;
  const { title, label } = NAMED[dimension];
  const before = beforeOf(statistics, dimension);
  const former = (key: string | null) => (before === null ? 0 : (before.get(key)?.[kind] ?? 0));
  // Others of its numbers are not shown here.
  const rows = named.filter((row) => row[kind] > 0 || former(row.key) > 0);
  const most = Math.max(1, ...rows.flatMap((row) => [row[kind], former(row.key)]));
  return (
    <table class={before ? 'breakdown compared' : 'breakdown'}>
      <caption class="unseen">{text(title)}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">{text(label)}</th>
          <th scope="col">{text(COLUMNS[kind])}</th>
          {before && <th scope="col">{text('clicks.changeOfAll')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row">
              <Bar share={row[kind] / most} before={before && former(row.key) / most} />
              <Value {...props} value={row.key} />
            </th>
            <td>{count(row[kind])}</td>
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
              {text('clicks.allOthers')}
            </th>
            <td>{count(others[kind])}</td>
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

const KINDS = ['humans', 'previews', 'bots'] as const;
const COLUMNS = { humans: 'kit.visits', previews: 'kit.previews', bots: 'kit.bots' } as const;

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
  const { text } = useWords();
  const { scope, view, report } = statistics;
  const { none } = NAMED[dimension];
  const title = text(NAMED[dimension].title);
  const shown = shownRows(report.by[dimension] ?? [], 'humans', MAX_LISTED);
  return (
    <section class="panel listed" aria-labelledby="whole">
      <header>
        <h2 id="whole">{title}</h2>
        <a href={addressOf(scope.path, { ...view, card: null })}>{text('clicks.allStatistics')}</a>
        {!scope.isPublic && (
          <a
            href={addressOf(scope.path, view, { csv: dimension })}
            aria-label={text('clicks.asCsv', { title })}
            download={`clicks-by-${dimension}.csv`}
          >
            {text('clicks.csv')}
          </a>
        )}
      </header>
      {dimension === 'country' && <WorldMap {...statistics} />}
      {isKnown(shown.named, dimension) ? (
        <WholeRows {...{ statistics, client, dimension, shown }} />
      ) : (
        <p class="quiet">{text(none)}</p>
      )}
      {dimension === 'link' && <p class="quiet">{text('clicks.mostLinks')}</p>}
    </section>
  );
}

function WholeRows({ shown: { named, others }, ...props }: Omit<RowsProps, 'kind'>) {
  const { text, count } = useWords();
  const { statistics, dimension } = props;
  const { report } = statistics;
  const before = beforeOf(statistics, dimension);
  const columns = KINDS.filter((kind) => kind === 'humans' || report[kind] > 0);
  const most = Math.max(1, ...named.map(({ humans }) => humans));
  const share = (humans: number) =>
    report.humans === 0 ? '' : text('clicks.percentOfAll', { percent: Math.round((100 * humans) / report.humans) });
  const cells = (row: Counts) => [
    ...columns.map((kind) => <td class={kind === 'humans' ? undefined : 'minor'}>{count(row[kind])}</td>),
    <td>{share(row.humans)}</td>,
  ];
  return (
    <table class="counts breakdown">
      <caption class="unseen">{text(NAMED[dimension].title)}</caption>
      <thead>
        <tr>
          <th scope="col">{text(NAMED[dimension].label)}</th>
          {columns.map((kind) => (
            <th scope="col" class={kind === 'humans' ? undefined : 'minor'}>
              {text(COLUMNS[kind])}
            </th>
          ))}
          <th scope="col">{text('clicks.shareOfAll')}</th>
          {before && <th scope="col">{text('clicks.changeOfAll')}</th>}
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
              {text('clicks.allOthers')}
            </th>
            {cells(others)}
            {before && <td></td>}
          </tr>
        )}
      </tbody>
    </table>
  );
}
