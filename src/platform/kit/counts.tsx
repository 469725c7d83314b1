import type { Child } from 'hono/jsx';
import type { Counts } from '../../clicks/link-clicks.ts';
import { formatCount } from './numbers.ts';

export interface CountRow extends Counts {
  readonly name: Child;
}

/** Clicks of several things: people, previews and bots apart. */
export function CountTable({
  caption,
  label,
  rows,
  bars = false,
}: {
  /** Read out, not shown. */
  caption: string;
  /** What the first column is. */
  label: string;
  rows: readonly CountRow[];
  /** Whether each row shows how much of the most it is. */
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

/** How many clicks there were of each kind. */
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
