import type { StatsRow } from '../../clicks/breakdown.ts';
import type { Bars } from './bars.ts';
import { CountTable } from './counts.tsx';
import { formatCount, formatDay } from './numbers.ts';

/** The clicks of some days as bars, in which people, previews and bots are stacked, and the same as a table. */
export function ClickChart({ days, bars, timeZone }: { days: readonly StatsRow[]; bars: Bars; timeZone: string }) {
  const [first, last] = [days[0]?.key ?? '', days.at(-1)?.key ?? ''];
  const middle = days[Math.floor(days.length / 2)]?.key ?? '';
  return (
    <figure class="chart">
      <div class="plot">
        <div class="ticks" aria-hidden="true">
          {bars.ticks.map((tick) => (
            <span>{formatCount(tick)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${bars.width} ${bars.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby="chart-title chart-text"
        >
          <title id="chart-title">Clicks by day</title>
          <desc id="chart-text">{describe(days)}</desc>
          {bars.ticks.map((_, index) => {
            const y = (bars.height * index) / Math.max(1, bars.ticks.length - 1);
            return <line class="rule" x1="0" x2={bars.width} y1={y} y2={y} />;
          })}
          {bars.bars.map(({ x, width, parts }, index) => (
            <g class="bar">
              <title>{describeDay(days[index])}</title>
              <rect class="hover" x={x} width={width} y="0" height={bars.height} />
              {parts.map(({ kind, y, height }) => (
                <rect class={kind} {...{ x, width, y, height }} />
              ))}
            </g>
          ))}
        </svg>
        <div class="days" aria-hidden="true">
          {[first, middle, last].map((day) => (
            <span>{formatDay(day)}</span>
          ))}
        </div>
      </div>
      <figcaption class="legend">
        <span class="key humans">People</span>
        <span class="key previews">Previews</span>
        <span class="key bots">Bots</span>
        <span class="zone">Days in {timeZone.replaceAll('_', ' ')}</span>
      </figcaption>
      <details class="data">
        <summary>Show as a table</summary>
        <CountTable
          caption="Clicks by day"
          label="Day"
          rows={days.toReversed().map((day) => ({ ...day, name: formatDay(day.key ?? '') }))}
        />
      </details>
    </figure>
  );
}

function describeDay(day: StatsRow | undefined): string {
  if (!day) return '';
  const { humans, previews, bots } = day;
  return `${formatDay(day.key ?? '')}: people ${formatCount(humans)}, previews ${formatCount(previews)}, bots ${formatCount(bots)}`;
}

function describe(days: readonly StatsRow[]): string {
  const busiest = days.toSorted((a, b) => b.total - a.total)[0];
  const people = days.reduce((sum, { humans }) => sum + humans, 0);
  const range = `From ${formatDay(days[0]?.key ?? '')} to ${formatDay(days.at(-1)?.key ?? '')}`;
  if (!busiest || busiest.total === 0) return `${range}: no clicks.`;
  return `${range}: ${formatCount(people)} clicks by people. Most on ${describeDay(busiest)}.`;
}
