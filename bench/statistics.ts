/** A summary of several measurements. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

export function median(values: readonly number[]): number {
  return summarize(values).median;
}

/** The percentile of some values. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)] ?? Number.NaN;
}
