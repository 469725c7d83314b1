import type { Counts } from '../../clicks/link-clicks.ts';
import type { Report } from '../../clicks/report.ts';
import type { Series } from '../../clicks/report-rows.ts';
import type { Visitors } from '../../clicks/visitor-days.ts';
import type { IconName } from '../../design/icon-names.ts';
import { dayOf } from '../../time/day.ts';
import type { PageWords, PlainKey } from '../words.tsx';

/** The numbers at the top of a page of click statistics, each of which is drawn as a graph when it is chosen. */

const GRAPHS = ['visitors', 'visits', 'qr', 'previews', 'bots'] as const;
export type GraphName = (typeof GRAPHS)[number];

export const isGraph = (name: string): name is GraphName => GRAPHS.some((graph) => graph === name);

interface Graph {
  readonly title: PlainKey;
  readonly icon: IconName;
  /** The clicks that the breakdowns beside it count. */
  readonly kind: Exclude<keyof Counts, 'total'>;
}

export const GRAPH: Readonly<Record<GraphName, Graph>> = {
  visitors: { title: 'clicks.visitors', icon: 'users', kind: 'humans' },
  visits: { title: 'kit.visits', icon: 'arrow-right', kind: 'humans' },
  qr: { title: 'clicks.scans', icon: 'qr-code', kind: 'humans' },
  previews: { title: 'kit.previews', icon: 'eye', kind: 'previews' },
  bots: { title: 'kit.bots', icon: 'bot', kind: 'bots' },
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

/** The visitors that the drawn graph counts. */
export const kindOf = (report: Report, chosen: GraphName | null): Graph['kind'] =>
  GRAPH[graphOf(report, chosen).name].kind;

/** The numbers of a graph, of each row of its report. */
export function seriesOf(report: Report, name: GraphName): Series {
  if (name === 'visitors') return report.visitors?.series ?? NONE;
  if (name === 'qr') return report.scans ?? NONE;
  const { kind } = GRAPH[name];
  return { now: report.rows.map((row) => row[kind]), before: report.before?.rows.map((row) => row[kind]) ?? [] };
}

const NONE: Series = { now: [], before: [] };

/** The reason for which there is no number of visitors; null if there is one. */
function missingOf(sum: Visitors | null, { humans }: Report): PlainKey | null {
  if (sum === null) return 'clicks.visitorsUnknown';
  const isUncounted = sum.total === 0 && humans > 0;
  return isUncounted ? 'clicks.visitorsUncounted' : null;
}

/** A sentence about daily visitors that are not known, or not for all days; null where there is nothing to say. */
export function visitorNote({ text, day }: PageWords, report: Report): string | null {
  if (!report.visitors) return null;
  const { sum } = report.visitors;
  const missing = missingOf(sum, report);
  if (missing !== null) return text(missing);
  if (sum === null) return null;
  const isLate = sum.from > report.from;
  const isShort = sum.to < report.to && sum.to < dayOf(Date.now());
  const [from, to] = [day(sum.from), day(sum.to)];
  if (isLate && isShort) return text('clicks.visitorsBetween', { from, to });
  if (isLate) return text('clicks.visitorsSince', { from });
  return isShort ? text('clicks.visitorsUntil', { to }) : null;
}
