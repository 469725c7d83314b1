import type { Child } from 'hono/jsx';
import type { StatsRow } from '../../clicks/breakdown.ts';
import type { Counts } from '../../clicks/link-clicks.ts';
import type { Dimension } from '../../clicks/report.ts';
import { formatCount } from '../kit/numbers.ts';
import { Destination } from '../links/destination.tsx';
import { linkPath } from '../links/paths.ts';
import { displayUrl } from '../links/display-url.ts';
import { campaignPath } from '../campaigns/paths.ts';
import type { OwnClient } from '../env.ts';
import { isolated } from '../bidi.ts';
import { CARD, nameOf, WORDS } from './cards.ts';
import { WorldMap } from './map.tsx';
import { shownIn, type NamedLink, type Statistics } from './read-statistics.ts';
import { shownRows } from './shown-rows.ts';
import { addressOf, withFilter } from './view.ts';

/** The cards of a page as tabs, and the breakdowns of the one that is shown. */
export function Cards({ statistics, client }: { statistics: Statistics; client: OwnClient | null }) {
  const { scope, view, report } = statistics;
  const { title } = CARD[view.card];
  const dimensions = shownIn(view.card, scope);
  // A breakdown of the same name is a region too, and one name is enough.
  const isNamedWithin = dimensions.some((dimension) => WORDS[dimension].title === title);
  return (
    <section class="cards" id="cards" aria-label={isNamedWithin ? undefined : title}>
      <nav class="tabs" aria-label="Breakdowns">
        {scope.cards.map((card) => (
          <a
            href={`${addressOf(scope.path, { ...view, card })}#cards`}
            aria-current={card === view.card ? 'true' : undefined}
          >
            {CARD[card].title}
          </a>
        ))}
      </nav>
      {view.card === 'locations' && <WorldMap {...statistics} />}
      <div class="panels">
        {dimensions.map((dimension) => (
          <Breakdown {...{ statistics, client, dimension }} rows={report.by[dimension] ?? []} />
        ))}
      </div>
    </section>
  );
}

interface BreakdownProps {
  readonly statistics: Statistics;
  /** Null for a visitor, who is shown no links to other pages. */
  readonly client: OwnClient | null;
  readonly dimension: Dimension;
  readonly rows: readonly StatsRow[];
}

/** The most clicked values of a breakdown. Each adds a filter, and has a bar behind it. */
function Breakdown(props: BreakdownProps) {
  const { statistics, dimension, rows } = props;
  const { scope, view } = statistics;
  const { title, label } = WORDS[dimension];
  const { named, others } = shownRows(rows);
  // A visit without a referrer is a known value, unlike other rows without a key.
  const isKnown = named.some(({ key }) => key !== null) || dimension === 'referrer';
  return (
    <section class="panel" aria-labelledby={`by-${dimension}`}>
      <div class="panel-head">
        <h2 id={`by-${dimension}`}>{title}</h2>
        {isKnown && !scope.isPublic && (
          <a
            class="csv"
            href={addressOf(scope.path, view, { csv: dimension })}
            aria-label={`${title} as CSV`}
            download={`clicks-by-${dimension}.csv`}
          >
            CSV
          </a>
        )}
      </div>
      {isKnown ? <Values {...props} {...{ named, others }} /> : <p class="quiet">No {label.toLowerCase()} is known.</p>}
      {dimension === 'link' && <p class="quiet">Up to 200 links are counted separately for each UTC day.</p>}
    </section>
  );
}

function Values({ named, others, ...props }: BreakdownProps & ReturnType<typeof shownRows>) {
  const { statistics, dimension } = props;
  const { report } = statistics;
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
        </tr>
      </thead>
      <tbody>
        {named.map((row) => (
          <tr>
            <th scope="row">
              <Bar share={row.humans / most} />
              <Value {...props} value={row.key} />
            </th>
            {cells(row)}
          </tr>
        ))}
        {others.total > 0 && (
          <tr>
            <th scope="row" class="quiet">
              All others
            </th>
            {cells(others)}
          </tr>
        )}
      </tbody>
    </table>
  );
}

const COLUMNS = [
  ['People', 'humans'],
  ['Previews', 'previews'],
  ['Bots', 'bots'],
] as const satisfies readonly (readonly [string, keyof Counts])[];

/** The share of the highest number, behind the text. */
function Bar({ share }: { share: number }) {
  if (share === 0) return null;
  return (
    <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="0" width={Math.round(1000 * share) / 10} height="1" />
    </svg>
  );
}

interface ValueProps extends Omit<BreakdownProps, 'rows'> {
  readonly value: string | null;
}

/** The name of a value, as a link that adds it to the filters, unless it is one of them. */
function Value({ statistics, client, dimension, value }: ValueProps) {
  const { scope, view, links } = statistics;
  const text = value ?? 'null';
  const link = dimension === 'link' ? links.get(text) : undefined;
  const name: Child =
    dimension !== 'link' ? (
      <bdi>{nameOf(dimension, value)}</bdi>
    ) : link ? (
      <LinkName {...link} />
    ) : (
      `Deleted link (${text})`
    );
  const isChosen = view.filters[dimension]?.includes(text) ?? false;
  const isFilter = !isChosen && (dimension !== 'link' || (link && !link.isDeleted));
  const shownName = isFilter ? (
    <a class="row" href={addressOf(scope.path, withFilter(view, dimension, text))}>
      {name}
    </a>
  ) : (
    <span class={isChosen ? 'row' : 'row quiet'}>
      {name}
      {isChosen && <span class="unseen"> (filtered)</span>}
    </span>
  );
  const own = client && pageOf(client, dimension, value, link);
  if (!own) return shownName;
  return (
    <div class="with-open">
      {shownName}
      <a class="open" href={own.path} aria-label={`Open ${own.name}`}>
        Open
      </a>
    </div>
  );
}

/** The page that a value has in the workspace, if any. */
function pageOf(client: OwnClient, dimension: Dimension, value: string | null, link: NamedLink | undefined) {
  if (value === null) return null;
  if (link) return { path: linkPath(client, value), name: displayUrl(link.shortUrl) };
  return dimension === 'campaign' ? { path: campaignPath(client, value), name: isolated(value) } : null;
}

function LinkName({ shortUrl, url }: { shortUrl: string; url: string }) {
  return (
    <span class="two-lines">
      <bdi class="cut" title={displayUrl(shortUrl)}>
        {displayUrl(shortUrl)}
      </bdi>
      <span class="quiet cut" dir="ltr" title={url}>
        <Destination href={url} />
      </span>
    </span>
  );
}
