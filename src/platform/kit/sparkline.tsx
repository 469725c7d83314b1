const [WIDTH, HEIGHT] = [128, 36];
// Room for the line at its highest.
const TOP = 3;
const BASE = 34.5;

/**
 * Counts of days in a row as a line without axes; `label` says the same in words. Nothing if all are zero.
 *
 * @param most the count that is as high as the picture: that of all pictures of a page, so that they can be compared
 */
export function Sparkline({ counts, most, label }: { counts: readonly number[]; most: number; label: string }) {
  if (most === 0 || counts.every((count) => count === 0)) return null;
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
      <title>{label}</title>
      <path class="spark-base" d={`M0 ${BASE}H${WIDTH}`} />
      <path class="spark-line" d={`M-4 40V${outlineOf(counts, most)}H132V40z`} />
    </svg>
  );
}

/** The heights of the days, from the first at the left to the last at the right. A day with any clicks is seen. */
function outlineOf(counts: readonly number[], most: number): string {
  const step = WIDTH / Math.max(1, counts.length - 1);
  const heights = counts.map((count) => {
    const height = (Math.min(count, most) * (BASE - TOP)) / most;
    return rounded(BASE - (count === 0 ? 0 : Math.max(1, height)));
  });
  const lines = heights.map((height, day) => `L${Math.round(day * step)} ${height}`);
  return `${heights[0]}${lines.join('')}`;
}

const rounded = (number: number): number => Math.round(number * 10) / 10;
