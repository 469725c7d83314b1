import type { Counts } from '../../clicks/link-clicks.ts';
import type { Report } from '../../clicks/report.ts';
import type { Series } from '../../clicks/report-rows.ts';
import type { Visitors } from '../../clicks/visitor-days.ts';
import type { IconName } from '../../design/icon-names.ts';
import { dayOf } from '../../time/day.ts';
import { formatDay } from '../kit/numbers.ts';

/** The numbers at the top of a page of click statistics, each of which is drawn as a graph when it is chosen. */

const GRAPHS = ['visitors', 'visits', 'qr', 'previews', 'bots'] as const;
export type GraphName = (typeof GRAPHS)[number];

export const isGraph = (name: string): name is GraphName => GRAPHS.some((graph) => graph === name);

interface Graph {
  readonly title: string;
  readonly icon: IconName;
  /** The clicks that the breakdowns beside it count. */
  readonly kind: keyof Counts;
}

export const GRAPH: Readonly<Record<GraphName, Graph>> = {
  visitors: { title: 'Daily visitors', icon: 'users', kind: 'humans' },
  visits: { title: 'Visits', icon: 'arrow-right', kind: 'humans' },
  qr: { title: 'QR scans', icon: 'qr-code', kind: 'humans' },
  previews: { title: 'Link previews', icon: 'eye', kind: 'previews' },
  bots: { title: 'Bots', icon: 'bot', kind: 'bots' },
};

/** A total, and what it is compared with. */
export interface Total {
  readonly name: GraphName;
  /** Null if it is not known. */
  readonly count: number | null;
  /** The numbers that are compared; null if they cannot be. Those of visitors leave today out. */
  readonly compared: { readonly now: number; readonly before: number } | null;
  /** True if its graph can be drawn. */
  readonly hasGraph: boolean;
}

/** The totals of a report, in their order; those that the report cannot have are left out. */
export function totalsOf(report: Report): Total[] {
  const { visitors } = report;
  const isByHour = report.rows[0]?.key?.includes('T') ?? false;
  const clicks = (name: GraphName, kind: 'humans' | 'previews' | 'bots'): Total => ({
    name,
    count: report[kind],
    compared: compare(report, report[kind], report.before?.[kind]),
    hasGraph: true,
  });
  const known = visitors?.sum && missingOf(visitors.sum, report) === null ? visitors.sum.total : null;
  return [
    ...(visitors
      ? [
          {
            name: 'visitors',
            count: known,
            compared:
              known !== null && visitors.compared
                ? compare(report, visitors.compared.now, visitors.compared.before)
                : null,
            hasGraph: known !== null && visitors.series !== null,
          } as const,
        ]
      : []),
    clicks('visits', 'humans'),
    ...(report.by.via
      ? [
          {
            name: 'qr',
            count: scansIn(report.by),
            compared: compare(report, scansIn(report.by), scansIn(report.before?.by)),
            hasGraph: !isByHour,
          } as const,
        ]
      : []),
    clicks('previews', 'previews'),
    clicks('bots', 'bots'),
  ];
}

const scansIn = (by: Report['by'] | undefined): number => by?.via?.find(({ key }) => key === 'qr')?.humans ?? 0;

function compare({ before, filteredFrom }: Report, now: number, former: number | undefined): Total['compared'] {
  const isComparable = before !== null && before.filteredFrom === null && filteredFrom === null;
  return isComparable && former !== undefined && now + former > 0 ? { now, before: former } : null;
}

/** The graph that is drawn: the chosen one, or the first that is known for all days except today. */
export function graphOf(report: Report, chosen: GraphName | null): Total {
  const drawn = totalsOf(report).filter(({ name, hasGraph }) => hasGraph && (name !== 'qr' || report.scans !== null));
  const isWhole = ({ name }: Total) => !seriesOf(report, name).now.slice(0, -1).includes(null);
  return drawn.find(({ name }) => name === chosen) ?? drawn.find(isWhole)!;
}

/** The numbers of a graph, of each row of its report. */
export function seriesOf(report: Report, name: GraphName): Series {
  if (name === 'visitors') return report.visitors?.series ?? NONE;
  if (name === 'qr') return report.scans ?? NONE;
  const { kind } = GRAPH[name];
  return { now: report.rows.map((row) => row[kind]), before: report.before?.rows.map((row) => row[kind]) ?? [] };
}

const NONE: Series = { now: [], before: [] };

/** The reason for which there is no number of visitors; null if there is one. */
function missingOf(sum: Visitors | null, { humans }: Report): string | null {
  if (sum === null) return 'Daily visitors are not known for these days.';
  const isUncounted = sum.total === 0 && humans > 0;
  return isUncounted ? 'Daily visitors are not counted: these people asked not to be tracked.' : null;
}

/** A sentence about daily visitors that are not known, or not for all days; null where there is nothing to say. */
export function visitorNote(report: Report): string | null {
  if (!report.visitors) return null;
  const { sum } = report.visitors;
  const missing = missingOf(sum, report);
  if (sum === null || missing !== null) return missing;
  const isLate = sum.from > report.from;
  const isShort = sum.to < report.to && sum.to < dayOf(Date.now());
  if (isLate && isShort) {
    return `Daily visitors are counted since ${formatDay(sum.from)}, until ${formatDay(sum.to)}.`;
  }
  if (isLate) return `Daily visitors are counted since ${formatDay(sum.from)}.`;
  return isShort ? `Daily visitors are counted until ${formatDay(sum.to)}.` : null;
}
