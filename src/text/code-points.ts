const HAS_SURROGATE = /[\ud800-\udfff]/;

/** Compares two texts by their code points, which is the order of SQLite. */
export function compareCodePoints(a: string, b: string): number {
  // Only where there are surrogates does JavaScript's own order, by UTF-16 units, differ.
  if (HAS_SURROGATE.test(a) || HAS_SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : Number(a > b);
}
