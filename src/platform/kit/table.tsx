import type { Child } from 'hono/jsx';
import { useWords } from '../words.tsx';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => Child;
  /** `whole` for a word or two that must stay on one line, `words` for a text of short words, none of which is broken. */
  readonly align?: 'whole' | 'words';
  /** Takes the width that the other columns leave; a text that is too long is cut. */
  readonly isWide?: boolean;
  /** For buttons: the label is only for screen readers. */
  readonly isActions?: boolean;
}

/**
 * A list of things. The first column names each; on a phone a row becomes a card, with the columns' labels beside their
 * cells. The roles repeat those of the elements, since browsers forget them when CSS changes the layout.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
}: {
  /** Read by screen readers, not shown. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}) {
  return (
    <table class="table" role="table">
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, align, isActions }) => (
            <th scope="col" role="columnheader" class={align}>
              {isActions ? <span class="unseen">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <TableRow columns={columns} row={row} />
        ))}
      </tbody>
    </table>
  );
}

/** A row of a `Table` with the same columns. */
export function TableRow<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <tr role="row">
      {columns.map(({ label, cell, align, isWide, isActions }, index) =>
        index === 0 ? (
          <th scope="row" role="rowheader" class={isWide ? 'wide' : align}>
            {cell(row)}
          </th>
        ) : (
          <td
            role="cell"
            class={isActions ? 'cell-actions' : isWide ? 'wide' : align}
            data-label={isActions ? undefined : label}
          >
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}

/** Links to the next page of a list, and back to its beginning. */
export function Pager({
  next,
  first,
  note,
  nextLabel,
}: {
  next: string | null;
  first: string | null;
  note?: Child;
  nextLabel?: string;
}) {
  const { text } = useWords();
  if (next === null && first === null && !note) return null;
  return (
    <nav class="pager" aria-label={text('kit.pages')}>
      {note && <p>{note}</p>}
      {first !== null && (
        <a class="button quiet small" href={first}>
          {text('kit.firstPage')}
        </a>
      )}
      {next !== null && (
        <a class="button quiet small" href={next} rel="next">
          {nextLabel ?? text('kit.nextPage')}
        </a>
      )}
    </nav>
  );
}
