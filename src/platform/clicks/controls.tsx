import { keepsHours } from '../../clicks/report.ts';
import { Button } from '../kit/button.tsx';
import { Hidden } from '../kit/form.tsx';
import { formatDay } from '../kit/numbers.ts';
import { nameInstant } from '../kit/time.tsx';
import { displayUrl } from '../links/display-url.ts';
import { nameOf, WORDS } from './cards.ts';
import { PERIODS, type PeriodName } from './periods.ts';
import type { Statistics } from './read-statistics.ts';
import { addressOf, filterNames, keptOf, withoutFilter, type FilterName } from './view.ts';

/** The period of a page of click statistics, what it is compared with, and its filters. */

/** Links to the same page with other periods, and a form for other days. */
export function Periods({ scope, view, report, today }: Statistics) {
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
    </div>
  );
}

/** The days that are shown, and a link that compares them with those before, or no longer. */
export function Days({ scope, view, report }: Statistics) {
  const { before, from, to, tz } = report;
  const href = addressOf(scope.path, { ...view, isCompared: !view.isCompared });
  return (
    <p class="quiet">
      {rangeOf(from, to)}
      {before && (
        <>
          {', compared with '}
          {rangeOf(before.from, before.to)}
          {before.until !== null && <> until {nameInstant(before.until, tz)}</>}
        </>
      )}
      {'. '}
      <a href={href}>{before ? 'Do not compare' : 'Compare with the days before'}</a>
    </p>
  );
}

const rangeOf = (from: string, to: string): string =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;

/** The filters, each of which is a link to the same page without it. */
export function Pills(statistics: Statistics) {
  const { scope, view } = statistics;
  const pills = filterNames().flatMap((name) => (view.filters[name] ?? []).map((value) => ({ name, value })));
  if (pills.length === 0) return null;
  return (
    <nav class="pills" aria-label="Filters">
      <ul>
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
        <li>
          <a href={addressOf(scope.path, { ...view, filters: {} })}>Clear all</a>
        </li>
      </ul>
    </nav>
  );
}

function filterName({ links }: Statistics, name: FilterName, value: string): string {
  if (name !== 'link') return nameOf(name, value);
  return displayUrl(links.get(value)?.shortUrl ?? value);
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
      view.card !== 'links' &&
      'Details are kept by UTC day after 8 days, so some clicks of the first and the last day count as “All others”.',
  ];
  return <>{said.map((sentence) => sentence !== false && <p class="quiet">{sentence}</p>)}</>;
}
