import type { Child } from 'hono/jsx';

export interface CountColumn {
  readonly heading: string;
  /** True if a chart shows it. */
  readonly isShown?: boolean;
  /** True for what is compared with it. */
  readonly isBefore?: boolean;
}

/** Numbers of several things, as a table. */
export function CountTable({
  caption,
  label,
  columns,
  rows,
}: {
  /** Read by screen readers, not shown. */
  caption: string;
  /** The header of the first column. */
  label: string;
  columns: readonly CountColumn[];
  /** The cells are those of the columns. */
  rows: readonly { readonly name: Child; readonly cells: readonly Child[] }[];
}) {
  return (
    <table class="counts">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          {columns.map(({ heading, isShown = false, isBefore = false }) => (
            <th scope="col" data-shown={isShown ? '' : undefined} data-before={isBefore ? '' : undefined}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells }) => (
          <tr>
            <th scope="row">{name}</th>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
