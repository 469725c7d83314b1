import type { Child } from 'hono/jsx';
import * as z from 'zod';
import type { StatsRow } from '../../clicks/breakdown.ts';
import { addCounts, type Counts } from '../../clicks/link-clicks.ts';
import type { Summary } from '../../clicks/summary.ts';
import { countryName } from '../../countries.ts';
import { lazy } from '../../lazy.ts';
import type { Dimension } from '../../statistics/facts.ts';
import { ClickChart } from '../kit/chart.tsx';
import { CountTable, Totals } from '../kit/counts.tsx';
import type { Bars } from '../kit/bars.ts';

/** The parts of the pages of a client and of a link that show clicks. */

const PERIODS = ['7', '30', '90'] as const;

/** How many days a page of clicks shows; any other value in the URL means 30. */
export const periodFields = lazy(() => z.object({ days: z.enum(PERIODS).catch('30').transform(Number) }));

/** Links to the same page with other numbers of days. */
export function Periods({ path, days }: { path: string; days: number }) {
  return (
    <nav class="periods" aria-label="Days shown">
      {PERIODS.map((period) => (
        <a
          href={`${path}?days=${period}`}
          aria-current={Number(period) === days ? 'true' : undefined}
          aria-label={`${period} days`}
        >
          {period} days
        </a>
      ))}
    </nav>
  );
}

/** The number of clicks, in total and for each day. */
export function ClicksByDay({ summary, bars, actions }: { summary: Summary<never>; bars: Bars; actions?: Child }) {
  return (
    <section class="panel" aria-label="Clicks">
      <div class="panel-head">
        <Totals {...summary} />
        {actions}
      </div>
      <ClickChart days={summary.days} bars={bars} timeZone={summary.tz} />
    </section>
  );
}

const MOST_SHOWN = 8;

/** The most clicked values of a breakdown, people first, and all others in one row. */
export function BreakdownPanel({
  id,
  title,
  label,
  rows,
  nameOf,
  total,
  note,
}: {
  id: string;
  title: string;
  label: string;
  rows: readonly StatsRow[];
  nameOf: (key: string | null) => Child;
  /** All clicks, if the rows may not cover all of them. */
  total?: Counts;
  note?: Child;
}) {
  const named = rows
    .filter(({ key }) => key !== 'other')
    .toSorted((a, b) => b.humans - a.humans || b.total - a.total)
    .slice(0, MOST_SHOWN);
  const [all, shown] = [total ?? addCounts(rows), addCounts(named)];
  const others = addCounts([
    {
      humans: Math.max(0, all.humans - shown.humans),
      bots: Math.max(0, all.bots - shown.bots),
      previews: Math.max(0, all.previews - shown.previews),
    },
  ]);
  const namedRows = named.map((row) => ({ ...row, name: nameOf(row.key) }));
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <CountTable
        caption={title}
        label={label}
        rows={
          others.total === 0 ? namedRows : [...namedRows, { ...others, name: <span class="quiet">All others</span> }]
        }
        bars
      />
      {note && <p class="quiet">{note}</p>}
    </section>
  );
}

const countryOf = (key: string | null): string => {
  if (key === null || key === 'XX') return 'Unknown';
  return key === 'T1' ? 'Tor network' : countryName(key);
};

const deviceOf = (key: string | null): string =>
  key === null ? 'Unknown' : key === 'tv' ? 'TV' : key.charAt(0).toUpperCase() + key.slice(1);

const VISITS = {
  country: { title: 'Countries', label: 'Country', nameOf: countryOf },
  referrer: { title: 'Referrers', label: 'Site', nameOf: (key: string | null) => key ?? 'Direct or unknown' },
  device: { title: 'Devices', label: 'Device', nameOf: deviceOf },
  browser: { title: 'Browsers', label: 'Browser', nameOf: (key: string | null) => key ?? 'Unknown' },
} as const;

/** The breakdowns of visits, in the order of their panels. */
export type Visit = keyof typeof VISITS & Dimension;

/** Breakdowns of visits, side by side. */
export function VisitPanels<Shown extends Visit>({
  by,
  shown,
  children,
}: {
  by: Summary<Shown>['by'];
  shown: readonly Shown[];
  children?: Child;
}) {
  return (
    <>
      <div class="panels">
        {children}
        {shown.map((dimension) => (
          <BreakdownPanel id={`by-${dimension}`} {...VISITS[dimension]} rows={by[dimension]} />
        ))}
      </div>
      <p class="quiet">
        Breakdowns use UTC days. Previews are requests by messengers and social networks that show a preview of a shared
        link.
      </p>
    </>
  );
}
