/** The number of elements in a part of a list. */
export const PART = 1000;

/** A list as JSON, in parts: a parameter of a statement may have 2 MB, and a delivery may have many long names. */
export function partsOf(list: readonly (string | number)[]): string[] {
  return Array.from({ length: Math.ceil(list.length / PART) }, (_, part) =>
    JSON.stringify(list.slice(part * PART, (part + 1) * PART)),
  );
}
