const HEIGHT = 20;

/** Counts of days in a row as a small picture, without axes; `label` says the same in words. Nothing if all are zero. */
export function Sparkline({ counts, label }: { counts: readonly number[]; label: string }) {
  const most = Math.max(...counts);
  if (most === 0) return null;
  return (
    <svg class="spark" viewBox={`0 0 ${counts.length} ${HEIGHT}`} preserveAspectRatio="none" role="img">
      <title>{label}</title>
      <path d={outlineOf(counts, most)} />
    </svg>
  );
}

/** The outline of bars side by side, each one wide. A day with any clicks is seen. */
function outlineOf(counts: readonly number[], most: number): string {
  const tops = counts.map((count) => HEIGHT - (count === 0 ? 0 : Math.max(1, Math.round((HEIGHT * count) / most))));
  const runs: { readonly top: number; days: number }[] = [];
  for (const top of tops) {
    const last = runs.at(-1);
    if (last?.top === top) last.days += 1;
    else runs.push({ top, days: 1 });
  }
  return `M0 ${HEIGHT}${runs.map(({ top, days }) => `V${top}h${days}`).join('')}V${HEIGHT}z`;
}
