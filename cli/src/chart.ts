import type { Stats } from './service.ts';
import { columns, printLine, styled } from './terminal.ts';
import { fit, pad, plain, widthOf } from './text.ts';

/** Statistics as lines: the sums as tiles, and a bar for each row. */

const MAX_LABEL = 32;
const MIN_LABEL = 8;
const MIN_BAR = 8;
const MAX_BAR = 60;

const NAMES = { total: 'Clicks', humans: 'Humans', bots: 'Bots', previews: 'Previews' } as const;
type Sum = keyof typeof NAMES;

export async function printChart(title: string, stats: Stats): Promise<void> {
  await printLine(styled('bold', fit(plain(title), columns())));
  const range = stats.from === stats.to ? stats.from : `${stats.from} to ${stats.to}`;
  await printLine(styled('dim', `${range}, ${plain(stats.tz)}`));
  // Without these days, sums would look like those of the whole range.
  if (stats.filtered_from !== null) await printLine(`Only the days from ${stats.filtered_from} on can be counted.`);
  await printLine('');
  for (const line of tiles(stats, columns())) await printLine(line);
  if (stats.visitors) await printLine(visitorLine(stats.visitors, stats.humans));
  await printLine('');
  if (stats.rows.length === 0) return printLine('No clicks.');
  for (const line of bars(stats.rows, columns())) await printLine(line);
  if (stats.cursor !== null) await printLine('There are more rows: --limit shows more.');
}

/** Names, numbers, and the change since the days before: side by side, or in a narrow terminal on a line each. */
function tiles(stats: Stats, available: number): readonly string[] {
  const sums = Object.keys(NAMES) as Sum[];
  const { compare } = stats;
  const canCompare = compare !== null && stats.filtered_from === null && compare.filtered_from === null;
  const cells = sums.map((sum) => [
    NAMES[sum],
    stats[sum].toLocaleString('en'),
    canCompare ? changeOf(stats[sum], compare[sum]) : '',
  ]);
  const against = canCompare ? `against ${compare.from} to ${compare.to}` : null;
  const width = Math.max(...cells.flat().map(widthOf)) + 3;
  if (width * cells.length > available) return [...eachOnALine(cells), ...(against === null ? [] : [against])];
  const line = (index: number) =>
    cells
      .map((cell) => pad(cell[index]!, width))
      .join('')
      .trimEnd();
  const lines = [styled('dim', line(0)), styled('bold', line(1))];
  if (against === null) return lines;
  const isWide = widthOf(line(2)) + 3 + widthOf(against) <= available;
  return [...lines, ...(isWide ? [`${line(2)}   ${styled('dim', against)}`] : [line(2), styled('dim', against)])];
}

function eachOnALine(cells: readonly (readonly string[])[]): readonly string[] {
  const widthAt = (index: number) => Math.max(...cells.map((cell) => widthOf(cell[index]!)));
  return cells.map(([name = '', number = '', change = '']) =>
    `${pad(name, widthAt(0))}  ${pad(number, widthAt(1), 'right')}  ${change}`.trimEnd(),
  );
}

// It can be 0 because people asked not to be tracked, which is not the same as no visitor.
function visitorLine({ total, from, to }: NonNullable<Stats['visitors']>, humans: number): string {
  if (total === 0 && humans > 0) return 'Visitors are not counted: these people asked not to be tracked.';
  return `Daily visitors: ${total.toLocaleString('en')}, ${from} to ${to} (UTC)`;
}

/** The change from one number to another, in per cent. */
function changeOf(now: number, before: number): string {
  if (now === before) return '±0%';
  if (before === 0) return 'new';
  const percent = Math.round((100 * (now - before)) / before);
  return percent > 0 ? `+${percent}%` : `${percent}%`;
}

function bars(rows: Stats['rows'], available: number): readonly string[] {
  const shown = rows.map(({ key, total }) => ({
    label: plain(key ?? '(unknown)'),
    total,
    count: total.toLocaleString('en'),
  }));
  const count = Math.max(...shown.map((row) => row.count.length));
  const longest = Math.max(MIN_LABEL, Math.min(MAX_LABEL, available - count - 4 - MIN_BAR));
  const label = Math.min(longest, Math.max(...shown.map((row) => widthOf(row.label))));
  const room = Math.max(1, Math.min(MAX_BAR, available - label - count - 4));
  const most = Math.max(1, ...shown.map(({ total }) => total));
  return shown.map((row) => {
    const bar = barOf(row.total / most, room);
    return `${pad(fit(row.label, label), label)}  ${pad(row.count, count, 'right')}  ${styled('blue', bar)}`.trimEnd();
  });
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar in steps of an eighth of a column; what is not 0 is seen. */
function barOf(share: number, room: number): string {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * room * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!;
}
