import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Counts } from '../../clicks/link-clicks.ts';
import { useWords, type PageWords } from '../words.tsx';
import { CountTable, type CountColumn } from './counts.tsx';
import { layOutLine, placeOf } from './line.ts';

/** A row of a chart: an hour, a day or a week. */
export interface ChartRow extends Counts {
  /** Its name, such as "20 May 2026". */
  readonly name: string;
  /** Its name at the axis. */
  readonly tick: string;
  /** The page that shows it alone; null without one. */
  readonly href: string | null;
  /** The state of its time: it is over, continues, or has not begun. */
  readonly state: 'over' | 'running' | 'future';
  /** The number that is drawn; null if it is not known. */
  readonly count: number | null;
  /** The number of the time before that is compared with it, and its name; null if nothing is compared. */
  readonly before: { readonly count: number; readonly name: string } | null;
}

/** The legend of a chart. */
interface Legend {
  readonly now: string;
  readonly before: string | null;
  /** The zone of the hours or days. */
  readonly zone: string;
}

/**
 * Numbers in time as a line, those before as a dashed one, and the same as a table. Where scripts run, the numbers of a
 * place are shown at the pointer and by the arrow keys.
 *
 * @param label the name of the number
 * @param pins the places where something happened, in the order of their numbers
 * @param children what the pins are
 */
export function LineChart({
  title,
  label,
  rows,
  pins,
  legend,
  children,
}: PropsWithChildren<{
  title: string;
  label: string;
  rows: readonly ChartRow[];
  pins: readonly number[];
  legend: Legend;
}>) {
  const words = useWords();
  const { text, count } = words;
  const begun = rows.filter(({ state }) => state !== 'future');
  const isCompared = legend.before !== null;
  const isRunning = begun.at(-1)?.state === 'running';
  const drawn = layOutLine(
    begun.map(({ count }) => count),
    begun.map(({ before }) => before?.count ?? null),
    { places: rows.length, isRunning },
  );
  const best = bestOf(begun);
  const at = (index: number) => `${placeOf(index, rows.length) / 10}%`;
  const top = drawn.ticks[0] ?? 1;
  return (
    <figure class="chart">
      <div class="plot" data-plot={rows.length}>
        <div class="ticks" aria-hidden="true">
          {drawn.ticks.map((tick) => (
            <span>{count(tick)}</span>
          ))}
        </div>
        <svg class="drawing" role="img" aria-labelledby="chart-title chart-text" data-top={top}>
          <title id="chart-title">{title}</title>
          <desc id="chart-text">{describe(words, begun, label)}</desc>
          {drawn.ticks.map((_, index) => {
            const y = `${Math.round((1000 * index) / (drawn.ticks.length - 1)) / 10}%`;
            return <line class={index === drawn.ticks.length - 1 ? 'zero' : 'grid'} x2="100%" y1={y} y2={y} />;
          })}
          <svg viewBox="0 0 1000 1000" preserveAspectRatio="none">
            <path class="area" d={drawn.area} />
            {drawn.before && <path class="was" d={drawn.before} />}
            <path class="now" d={drawn.now} />
            {drawn.soFar && <path class="now so-far" d={drawn.soFar} />}
          </svg>
          {pins.map((index, number) => (
            <>
              <line class="pin" x1={at(index)} x2={at(index)} y2="100%" />
              <circle class="pin-dot" cx={at(index)} cy="-12" r="9" />
              <text class="pin-n" x={at(index)} y="-8">
                {number + 1}
              </text>
            </>
          ))}
          {best !== -1 && (
            <circle
              class="best"
              cx={at(best)}
              cy={`${Math.round(1000 * (1 - (begun[best]?.count ?? 0) / top)) / 10}%`}
              r="4.5"
            />
          )}
        </svg>
        <svg class="days" aria-hidden="true">
          {ticksOf(rows).map(({ index, tick, isMinor }) => (
            <text class={isMinor ? 'minor' : undefined} x={at(index)} y="12" text-anchor={anchorOf(index, rows)}>
              {tick}
            </text>
          ))}
        </svg>
      </div>
      <figcaption class="legend">
        <span class="key">{legend.now}</span>
        {legend.before !== null && <span class="key was">{legend.before}</span>}
        {isRunning && <span class="key so-far">{text('kit.soFar')}</span>}
        <span class="zone">{legend.zone}</span>
      </figcaption>
      {children}
      <details class="data" id="chart-data">
        <summary>{text('kit.asTable')}</summary>
        <CountTable
          caption={title}
          label={text('kit.time')}
          columns={columnsOf(words, label, isCompared)}
          rows={begun
            .toReversed()
            .map((row) => ({ ...row, name: <Named row={row} />, cells: cellsOf(words, row, label, isCompared) }))}
        />
      </details>
    </figure>
  );
}

/** The columns that every table of clicks has. */
const kindsIn = ({ text }: PageWords): readonly string[] => [
  text('kit.visits'),
  text('kit.previews'),
  text('kit.bots'),
];

function columnsOf(words: PageWords, label: string, isCompared: boolean): CountColumn[] {
  const kinds = kindsIn(words);
  return [
    ...kinds.map((heading) => ({ heading, isShown: heading === label })),
    ...(kinds.includes(label) ? [] : [{ heading: label, isShown: true }]),
    ...(isCompared ? [{ heading: words.text('kit.before'), isBefore: true }] : []),
  ];
}

function cellsOf(words: PageWords, row: ChartRow, label: string, isCompared: boolean): Child[] {
  const { humans, previews, bots, count, before } = row;
  const cells: Child[] = [humans, previews, bots].map(words.count);
  if (!kindsIn(words).includes(label)) cells.push(count === null ? UNKNOWN : words.count(count));
  if (!isCompared) return cells;
  const former =
    before &&
    words.content('kit.countOn', {
      count: words.count(before.count),
      name: before.name,
      unseen: (inside) => <span class="unseen">{inside}</span>,
    });
  return [...cells, former ?? UNKNOWN];
}

const UNKNOWN = '–';

/** The page of the row, which has a place of few pixels in the chart. */
function Named({ row }: { row: ChartRow }) {
  const name = nameOf(useWords(), row);
  return row.href === null ? <>{name}</> : <a href={row.href}>{name}</a>;
}

const nameOf = ({ text }: PageWords, { name, state }: ChartRow): string =>
  state === 'running' ? text('kit.nameSoFar', { name }) : name;

/** The place of the highest number, if it is the only one. */
function bestOf(rows: readonly ChartRow[]): number {
  const counts = rows.map(({ count }) => count ?? 0);
  const most = Math.max(...counts);
  return most > 0 && counts.indexOf(most) === counts.lastIndexOf(most) ? counts.indexOf(most) : -1;
}

const TICKS = 5;

/** The names at the axis, evenly spaced; every second one is for wide screens. */
function ticksOf(rows: readonly ChartRow[]) {
  const count = Math.min(TICKS, rows.length);
  const indexes = Array.from({ length: count }, (_, place) =>
    Math.round((place * (rows.length - 1)) / Math.max(1, count - 1)),
  );
  return indexes.map((index, place) => ({
    index,
    tick: rows[index]?.tick,
    isMinor: count === TICKS && place % 2 === 1,
  }));
}

const anchorOf = (index: number, rows: readonly ChartRow[]) =>
  index === 0 && rows.length > 1 ? 'start' : index === rows.length - 1 && rows.length > 1 ? 'end' : 'middle';

function describe(words: PageWords, rows: readonly ChartRow[], label: string): string {
  const known = rows.filter(({ count }) => count !== null);
  const total = known.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const best = rows[bestOf(rows)];
  const range = { label, from: rows[0]?.name ?? '', to: rows.at(-1)?.name ?? '', total: words.count(total) };
  if (!best) return words.text('kit.chart', range);
  return words.text('kit.chartWithBest', {
    ...range,
    best: nameOf(words, best),
    most: words.count(best.count ?? 0),
  });
}
