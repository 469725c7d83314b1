import type { Child } from 'hono/jsx';
import type { Counts } from '../../clicks/link-clicks.ts';
import { formatCount } from './numbers.ts';

export interface CountRow extends Counts {
  readonly name: Child;
}

/** The clicks of several things, with separate counts of people, previews and bots. */
export function CountTable({
  caption,
  label,
  rows,
  bars = false,
}: {
  /** Read by screen readers, not shown. */
  caption: string;
  /** The header of the first column. */
  label: string;
  rows: readonly CountRow[];
  /** Whether each row shows its share of the highest count. */
  bars?: boolean;
}) {
  const most = Math.max(1, ...rows.map(({ humans }) => humans));
  return (
    <table class="counts">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {[label, 'People', 'Previews', 'Bots'].map((heading) => (
            <th scope="col">{heading}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, humans, previews, bots }) => (
          <tr>
            <th scope="row">
              {name}
              {bars && (
                <svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                  <rect x="0" y="0" width={Math.round((1000 * humans) / most) / 10} height="4" />
                </svg>
              )}
            </th>
            <td>{formatCount(humans)}</td>
            <td>{formatCount(previews)}</td>
            <td>{formatCount(bots)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The number of clicks of each kind. */
export function Totals({ humans, previews, bots }: Counts) {
  return (
    <dl class="totals">
      {(
        [
          ['People', humans],
          ['Previews', previews],
          ['Bots', bots],
        ] as const
      ).map(([term, count]) => (
        <div>
          <dt>{term}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
