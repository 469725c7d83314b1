import { keepsHours } from '../../clicks/report-zone.ts';
import { Icon } from '../../design/icon.tsx';
import { daysBetween } from '../../time/day.ts';
import { Button, ButtonLink } from '../kit/button.tsx';
import { Hidden } from '../kit/form.tsx';
import { Menu } from '../kit/menu.tsx';
import { formatCount } from '../kit/numbers.ts';
import { nameInstant } from '../kit/time.tsx';
import { displayUrl } from '../links/display-url.ts';
import { nameOf, WORDS } from './cards.ts';
import { PERIODS, type PeriodName } from './periods.ts';
import { TIME, type Statistics } from './read-statistics.ts';
import { addressOf, SHOWN_FILTERS, keptOf, withoutFilter, type FilterName } from './view.ts';

/** The period of a page of click statistics, what it is compared with, and its filters. */

/** Links to the same page with other periods, and a form for other days. */
export function Periods(statistics: Statistics) {
  const { scope, view, report, today } = statistics;
  const isChosen = typeof view.chosen !== 'string';
  return (
    <div class="asked">
      <nav class="periods" aria-label="Period">
        {Object.entries(PERIODS).map(([name, { label }]) => (
          <a
            href={addressOf(scope.path, { ...view, chosen: name as PeriodName })}
            aria-current={view.chosen === name ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <details class="choose" open={isChosen}>
        <summary>Choose days</summary>
        <form method="get" action={scope.path}>
          {keptOf(view).map(([name, value]) => (
            <Hidden name={name} value={value} />
          ))}
          <label>
            From <input type="date" name="from" value={report.from} max={today} required />
          </label>
          <label>
            To <input type="date" name="to" value={report.to} max={today} required />
          </label>
          <Button kind="quiet">Show</Button>
        </form>
      </details>
      <div class="files">
        {scope.sharePath !== undefined && (
          <ButtonLink href={scope.sharePath}>
            <Icon name="share-2" />
            Share
          </ButtonLink>
        )}
        {!scope.isPublic && report.total > 0 && <Files {...statistics} />}
      </div>
    </div>
  );
}

/** Files of what is shown. */
function Files({ scope, view, unit }: Statistics) {
  const { cards, more } = scope.breakdowns;
  const files = [
    { name: TIME, title: UNITS[unit], file: unit },
    ...[...cards, ...more].map((by) => ({ name: by, title: WORDS[by].title, file: by })),
  ];
  return (
    <Menu label="Download" summary="CSV" end icon="download">
      {files.map(({ name, title, file }) => (
        <a
          href={addressOf(scope.path, { ...view, graph: null, card: null }, { csv: name })}
          aria-label={`${title} as CSV`}
          download={`clicks-by-${file}.csv`}
        >
          {title}
        </a>
      ))}
    </Menu>
  );
}

const UNITS = { hour: 'Hours', day: 'Days', week: 'Weeks' } as const;

/** The comparison and the filters. Each is a link to the same page without it. */
export function Filters(statistics: Statistics) {
  const { scope, view, report } = statistics;
  const pills = SHOWN_FILTERS.flatMap((name) => (view.filters[name] ?? []).map((value) => ({ name, value })));
  const days = daysBetween(report.from, report.to) + 1;
  const before = days === 1 ? 'the day before' : `the ${formatCount(days)} days before`;
  const toggle = addressOf(scope.path, { ...view, isCompared: !view.isCompared });
  return (
    <nav class="pills" aria-label="Filters">
      <ul>
        <li>
          {view.isCompared ? (
            <a class="pill" href={toggle}>
              <Icon name="history" />
              <span class="unseen">Do not compare: </span>
              Compared with {before}
              <span aria-hidden="true">×</span>
            </a>
          ) : (
            <a class="pill" data-idle="" href={toggle}>
              <Icon name="history" />
              Compare with {before}
            </a>
          )}
        </li>
        {pills.map(({ name, value }) => (
          <li>
            <a class="pill" href={addressOf(scope.path, withoutFilter(view, name, value))}>
              <span class="unseen">Remove the filter </span>
              <span class="quiet">{WORDS[name].label}</span>
              <bdi>{filterName(statistics, name, value)}</bdi>
              <span aria-hidden="true">×</span>
            </a>
          </li>
        ))}
        {pills.length > 0 && (
          <li>
            <a class="pill" data-idle="" href={addressOf(scope.path, { ...view, filters: {} })}>
              Clear all
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function filterName({ links }: Statistics, name: FilterName, value: string): string {
  if (name !== 'link') return nameOf(name, value);
  const link = links.get(value);
  return link?.title ?? displayUrl(link?.shortUrl ?? value);
}

/** Sentences about what the numbers do not have. */
export function Limits({ report, timeZone, view }: Statistics) {
  const { filteredFrom, before, tz, from } = report;
  const isFiltered = tz !== timeZone;
  const said = [
    filteredFrom !== null && `Filters reach back to ${nameInstant(filteredFrom, tz)}. All numbers start there.`,
    filteredFrom === null &&
      (before?.filteredFrom ?? null) !== null &&
      'Filters do not reach back to all of the previous days, so nothing is compared.',
    isFiltered && 'Days begin at midnight UTC, since clicks that match filters are kept by the hour for 8 days.',
    !isFiltered &&
      tz !== 'UTC' &&
      !keepsHours(from) &&
      view.card !== 'link' &&
      'Details are kept by UTC day after 8 days, so some clicks of the first and the last day count as “All others”.',
  ];
  return <>{said.map((sentence) => sentence !== false && <p class="quiet">{sentence}</p>)}</>;
}
