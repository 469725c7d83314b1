import { fit, pad, plain, widthOf } from './text.ts';
import { columns, isTerminal, printLine, styled } from './terminal.ts';

export interface Column {
  readonly title: string;
  readonly side?: 'left' | 'right';
  /** Takes what the others leave, and is cut there. */
  readonly isFlexible?: boolean;
  /** Left out in a terminal that is too narrow, the lowest number first; never if absent. */
  readonly leftOut?: number;
}

const GAP = 2;
const MIN_FLEXIBLE = 12;

/**
 * Prints rows: in a terminal as a table that fits it, elsewhere whole and with tabs between, for other programs.
 *
 * @param rows the cells of each row, in the order of the columns
 */
export async function printTable(all: readonly Column[], rows: readonly (readonly string[])[]): Promise<void> {
  const whole = rows.map((row) => row.map(plain));
  if (!isTerminal()) {
    for (const row of whole) await printLine(row.join('\t'));
    return;
  }
  const kept = keptOf(all, whole, columns());
  const shown = kept.map((index) => all[index]!);
  const cells = whole.map((row) => kept.map((index) => row[index] ?? ''));
  const widths = widthsOf(shown, cells, columns());
  const line = (row: readonly string[]) =>
    shown
      .map(({ side }, index) => pad(fit(row[index] ?? '', widths[index]!), widths[index]!, side))
      .join(' '.repeat(GAP))
      .trimEnd();
  await printLine(styled('bold', line(shown.map(({ title }) => title))));
  for (const row of cells) await printLine(line(row));
}

/** The indexes of the columns that a terminal has room for. */
function keptOf(all: readonly Column[], cells: readonly (readonly string[])[], available: number): readonly number[] {
  const natural = naturalWidths(all, cells);
  const least = all.map(({ isFlexible }, index) =>
    isFlexible ? Math.min(MIN_FLEXIBLE, natural[index]!) : natural[index]!,
  );
  let kept = all.map((_, index) => index);
  const orders = all.flatMap(({ leftOut }) => leftOut ?? []).toSorted((one, other) => one - other);
  for (const order of orders) {
    const width = kept.reduce((sum, index) => sum + least[index]! + GAP, -GAP);
    if (width <= available) break;
    kept = kept.filter((index) => all[index]!.leftOut !== order);
  }
  return kept;
}

function naturalWidths(shown: readonly Column[], cells: readonly (readonly string[])[]): readonly number[] {
  return shown.map(({ title }, index) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), widthOf(title)),
  );
}

/** The width of each column. The flexible ones share what is left, and all are cut where that is too little. */
export function widthsOf(
  shown: readonly Column[],
  cells: readonly (readonly string[])[],
  available: number,
): readonly number[] {
  const natural = naturalWidths(shown, cells);
  const fixed = shown.reduce((sum, { isFlexible }, index) => sum + (isFlexible ? 0 : natural[index]!), 0);
  const free = available - fixed - GAP * (shown.length - 1);
  const flexible = shown.filter(({ isFlexible }) => isFlexible).length;
  const share = Math.max(MIN_FLEXIBLE, Math.floor(free / Math.max(1, flexible)));
  const spared = shown.reduce(
    (sum, { isFlexible }, index) => sum + (isFlexible ? Math.max(0, share - natural[index]!) : 0),
    0,
  );
  return natural.map((width, index) => (shown[index]!.isFlexible ? Math.min(width, share + spared) : width));
}
