import type { StatsRow } from '../../clicks/breakdown.ts';
import { layOutBars } from './bars.ts';
import { CountTable } from './counts.tsx';
import { formatCount } from './numbers.ts';

/** A row of a chart: an hour, a day or a week. */
export interface ChartRow extends StatsRow {
  /** Its name, such as "20 May 2026". */
  readonly name: string;
  /** Its name at the axis. */
  readonly tick: string;
  /** The page that shows it alone; null without one. */
  readonly href: string | null;
  /** The state of its time: it is over, continues, or has not begun. */
  readonly state: 'over' | 'running' | 'future';
}

/**
 * Clicks in time as bars, in which people, previews and bots are stacked, and the same as a table. Each bar has the focus in
 * its turn, and is then described below.
 */
export function ClickChart({
  title,
  rows,
  zone,
}: {
  title: string;
  rows: readonly ChartRow[];
  /** Of what zone the hours or days are. */
  zone: string;
}) {
  const bars = layOutBars(rows);
  const begun = rows.filter(({ state }) => state !== 'future');
  const ticks = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)];
  return (
    <figure class="chart">
      <a class={rows.length > MOST_TOUCHED ? 'skip-chart many' : 'skip-chart'} href="#chart-data">
        Skip the chart
      </a>
      <div class="plot">
        <div class="ticks" aria-hidden="true">
          {bars.ticks.map((tick) => (
            <span>{formatCount(tick)}</span>
          ))}
        </div>
        <div class="bars">
          <svg
            viewBox={`0 0 ${bars.width} ${bars.height}`}
            preserveAspectRatio="none"
            role="img"
            aria-labelledby="chart-title chart-text"
          >
            <title id="chart-title">{title}</title>
            <desc id="chart-text">{describe(begun)}</desc>
            <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="4" height="6" fill="#fff" />
            </pattern>
            <mask id="so-far">
              <rect width={bars.width} height={bars.height} fill="url(#hatch)" />
            </mask>
            {bars.ticks.map((_, index) => {
              const y = (bars.height * index) / Math.max(1, bars.ticks.length - 1);
              return <line class="rule" x1="0" x2={bars.width} y1={y} y2={y} />;
            })}
            {bars.bars.map(({ x, width, parts }, index) => (
              <g mask={rows[index]?.state === 'running' ? 'url(#so-far)' : undefined}>
                {parts.map(({ kind, y, height }) => (
                  <rect class={kind} {...{ x, width, y, height }} />
                ))}
              </g>
            ))}
          </svg>
          <ol class={rows.length > MOST_TOUCHED ? 'hits many' : 'hits'}>
            {rows.map((row) => (
              <li>
                <Hit {...row} />
              </li>
            ))}
          </ol>
        </div>
        <div class="days" aria-hidden="true">
          {ticks.map((row) => (
            <span>{row?.tick}</span>
          ))}
        </div>
      </div>
      <figcaption class="legend">
        <span class="key humans">People</span>
        <span class="key previews">Previews</span>
        <span class="key bots">Bots</span>
        {begun.at(-1)?.state === 'running' && <span class="key so-far">So far</span>}
        <span class="zone">{zone}</span>
      </figcaption>
      <details class="data" id="chart-data">
        <summary>Show as a table</summary>
        <CountTable
          caption={title}
          label={LABEL}
          rows={begun.toReversed().map((row) => ({ ...row, name: <Named row={row} /> }))}
        />
      </details>
    </figure>
  );
}

// Of more, each would be too narrow to be touched on a phone, which has the table then.
const MOST_TOUCHED = 8;

const LABEL = 'Time';

/** The link of the bar, which may be narrow. */
function Named({ row }: { row: ChartRow }) {
  return row.href === null ? <>{nameOf(row)}</> : <a href={row.href}>{nameOf(row)}</a>;
}

const nameOf = ({ name, state }: ChartRow): string => (state === 'running' ? `${name} (so far)` : name);

/** The part of the chart above and around a bar. */
function Hit(row: ChartRow) {
  if (row.state === 'future') return null;
  const text = describeRow(row);
  if (row.href === null) {
    return (
      <span class="hit" role="img" tabindex={0} aria-label={text}>
        <span class="tip">{text}</span>
      </span>
    );
  }
  return (
    <a class="hit" href={row.href}>
      <span class="tip">{text}</span>
    </a>
  );
}

function describeRow(row: ChartRow): string {
  const { humans, previews, bots } = row;
  return `${nameOf(row)}: people ${formatCount(humans)}, previews ${formatCount(previews)}, bots ${formatCount(bots)}`;
}

function describe(rows: readonly ChartRow[]): string {
  const busiest = rows.toSorted((a, b) => b.humans - a.humans || b.total - a.total)[0];
  const people = rows.reduce((sum, { humans }) => sum + humans, 0);
  const range = `From ${rows[0]?.name ?? ''} to ${rows.at(-1)?.name ?? ''}`;
  if (!busiest || busiest.total === 0) return `${range}: no clicks.`;
  const most = people === 0 ? '' : ` Most on ${describeRow(busiest)}.`;
  return `${range}: ${formatCount(people)} ${people === 1 ? 'click' : 'clicks'} by people.${most}`;
}
