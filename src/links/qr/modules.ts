import type { QrOptions } from './options.ts';

const ECC = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;

/** The modules of a code, row by row, without margin; true is dark. */
export async function encodeModules(text: string, level: QrOptions['level']): Promise<boolean[][]> {
  const { encodeQr } = await import('./encoders.ts');
  // The library draws no code without a margin.
  const bordered = encodeQr(text, 'raw', { ecc: ECC[level], border: 1, scale: 1 });
  return bordered.slice(1, -1).map((row) => row.slice(1, -1));
}

/** Dark modules of a row, side by side. */
export interface Run {
  readonly start: number;
  readonly length: number;
}

/** The runs of dark modules of a row. */
export function* runsOf(row: readonly boolean[]): Generator<Run> {
  for (let start = row.indexOf(true); start !== -1;) {
    const end = row.indexOf(false, start);
    yield { start, length: (end === -1 ? row.length : end) - start };
    start = end === -1 ? -1 : row.indexOf(true, end);
  }
}

/** A square in the middle of a code, in modules. */
export interface Square {
  readonly start: number;
  readonly length: number;
}

// Level H restores 30 per cent of a code; in a small one this covers 14 per cent of its data.
const COVERED = 0.26;

/** Clears the modules under a logo, which are in the middle of a code. */
export function clearMiddle(modules: readonly boolean[][]): { modules: boolean[][]; square: Square } {
  // A code has an odd number of modules on each side, so this is in its middle.
  const length = Math.floor(modules.length * COVERED) | 1;
  const start = (modules.length - length) / 2;
  const isCovered = (at: number) => at >= start && at < start + length;
  return {
    modules: modules.map((row, y) => row.map((dark, x) => dark && !(isCovered(x) && isCovered(y)))),
    square: { start, length },
  };
}
