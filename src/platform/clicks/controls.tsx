import { keepsHours } from '../../clicks/report-zone.ts';
import { Icon } from '../../design/icon.tsx';
import { daysBetween } from '../../time/day.ts';
import { Button, ButtonLink } from '../kit/button.tsx';
import { Hidden } from '../kit/form.tsx';
import { Menu } from '../kit/menu.tsx';
import { displayUrl } from '../links/display-url.ts';
import { useWords, type PageWords } from '../words.tsx';
import { nameOf, NAMED } from './cards.ts';
import { PERIODS, type PeriodName } from './periods.ts';
import { TIME, type Statistics } from './read-statistics.ts';
import { addressOf, SHOWN_FILTERS, keptOf, withoutFilter, type FilterName } from './view.ts';

/** The period of a page of click statistics, what it is compared with, and its filters. */

/** Links to the same page with other periods, and a form for other days. */
export function Periods(statistics: Statistics) {
  const words = useWords();
  const { text } = words;
  const { scope, view, report, today } = statistics;
  const isChosen = typeof view.chosen !== 'string';
  return (
    <div class="asked">
      <nav class="periods" aria-label={text('clicks.period')}>
        {Object.entries(PERIODS).map(([name, { label }]) => (
          <a
            href={addressOf(scope.path, { ...view, chosen: name as PeriodName })}
            aria-current={view.chosen === name ? 'true' : undefined}
          >
            {label(words)}
          </a>
        ))}
      </nav>
      <details class="choose" open={isChosen}>
        <summary>{text('clicks.chooseDays')}</summary>
        <form method="get" action={scope.path}>
          {keptOf(view).map(([name, value]) => (
            <Hidden name={name} value={value} />
          ))}
          <label>
            {text('clicks.firstDay')} <input type="date" name="from" value={report.from} max={today} required />
          </label>
          <label>
            {text('clicks.lastDay')} <input type="date" name="to" value={report.to} max={today} required />
          </label>
          <Button kind="quiet">{text('clicks.show')}</Button>
        </form>
      </details>
      <div class="files">
        {scope.sharePath !== undefined && (
          <ButtonLink href={scope.sharePath}>
            <Icon name="share-2" />
            {text('clicks.shareThis')}
          </ButtonLink>
        )}
        {!scope.isPublic && report.total > 0 && <Files {...statistics} />}
      </div>
    </div>
  );
}

/** Files of what is shown. */
function Files({ scope, view, unit }: Statistics) {
  const { text } = useWords();
  const { cards, more } = scope.breakdowns;
  const files = [
    { name: TIME, title: text(UNITS[unit]), file: unit },
    ...[...cards, ...more].map((by) => ({ name: by, title: text(NAMED[by].title), file: by })),
  ];
  return (
    <Menu label={text('clicks.download')} summary={text('clicks.csv')} end icon="download">
      {files.map(({ name, title, file }) => (
        <a
          href={addressOf(scope.path, { ...view, graph: null, card: null }, { csv: name })}
          aria-label={text('clicks.asCsv', { title })}
          download={`clicks-by-${file}.csv`}
        >
          {title}
        </a>
      ))}
    </Menu>
  );
}

const UNITS = { hour: 'clicks.hours', day: 'clicks.dayRows', week: 'clicks.weeks' } as const;

/** The comparison and the filters. Each is a link to the same page without it. */
export function Filters(statistics: Statistics) {
  const words = useWords();
  const { text } = words;
  const { scope, view, report } = statistics;
  const pills = SHOWN_FILTERS.flatMap((name) => (view.filters[name] ?? []).map((value) => ({ name, value })));
  const days = daysBetween(report.from, report.to) + 1;
  const toggle = addressOf(scope.path, { ...view, isCompared: !view.isCompared });
  return (
    <nav class="pills" aria-label={text('clicks.filters')}>
      <ul>
        <li>
          {view.isCompared ? (
            <a class="pill" href={toggle}>
              <Icon name="history" />
              {words.content('clicks.comparedWith', { days, unseen })}
              <span aria-hidden="true">×</span>
            </a>
          ) : (
            <a class="pill" data-idle="" href={toggle}>
              <Icon name="history" />
              {text('clicks.compareWith', { days })}
            </a>
          )}
        </li>
        {pills.map(({ name, value }) => (
          <li>
            <a class="pill" href={addressOf(scope.path, withoutFilter(view, name, value))}>
              {words.content('clicks.removeFilter', {
                label: text(NAMED[name].label),
                value: filterName(words, statistics, name, value),
                unseen,
                quiet: (inside) => <span class="quiet">{inside}</span>,
              })}
              <span aria-hidden="true">×</span>
            </a>
          </li>
        ))}
        {pills.length > 0 && (
          <li>
            <a class="pill" data-idle="" href={addressOf(scope.path, { ...view, filters: {} })}>
              {text('clicks.clearAll')}
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

const unseen = (inside: string[]) => <span class="unseen">{inside}</span>;

function filterName(words: PageWords, { links }: Statistics, name: FilterName, value: string): string {
  if (name !== 'link') return nameOf(words, name, value);
  const link = links.get(value);
  return link?.title ?? displayUrl(link?.shortUrl ?? value);
}

/** Sentences about what the numbers do not have. */
export function Limits({ report, timeZone, view }: Statistics) {
  const { text, instant } = useWords();
  const { filteredFrom, before, tz, from } = report;
  const isFiltered = tz !== timeZone;
  const said = [
    filteredFrom !== null && text('clicks.filtersReach', { time: instant(filteredFrom, tz) }),
    filteredFrom === null && (before?.filteredFrom ?? null) !== null && text('clicks.notCompared'),
    isFiltered && text('clicks.utcDays'),
    !isFiltered && tz !== 'UTC' && !keepsHours(from) && view.card !== 'link' && text('clicks.utcDetails'),
  ];
  return <>{said.map((sentence) => sentence !== false && <p class="quiet">{sentence}</p>)}</>;
}
