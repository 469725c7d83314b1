import type { Child } from 'hono/jsx';
import type { Counts } from '../../clicks/link-clicks.ts';
import { formatCount } from './numbers.ts';

interface CountRow extends Counts {
  readonly name: Child;
}

/** The clicks of several things, with separate counts of people, previews and bots. */
export function CountTable({
  caption,
  label,
  rows,
}: {
  /** Read by screen readers, not shown. */
  caption: string;
  /** The header of the first column. */
  label: string;
  rows: readonly CountRow[];
}) {
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
            <th scope="row">{name}</th>
            <td>{formatCount(humans)}</td>
            <td>{formatCount(previews)}</td>
            <td>{formatCount(bots)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
