/** The mark by which a pack is recognised. */
export interface PackMark {
  /** Since the epoch. */
  readonly hour: number;
  readonly mark: bigint;
}

/** The marks of a delivery's packs, as it is stored. */
export function packMarks(marks: readonly PackMark[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(BigUint64Array.from(marks.flatMap(({ hour, mark }) => [BigInt(hour), mark])).buffer);
}

export function unpackMarks(packed: ArrayBuffer): PackMark[] {
  const numbers = new BigUint64Array(packed);
  return Array.from({ length: numbers.length / 2 }, (_, index) => ({
    hour: Number(numbers[2 * index]),
    mark: numbers[2 * index + 1]!,
  }));
}
