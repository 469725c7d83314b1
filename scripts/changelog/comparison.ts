import type { JsonObject } from './json.ts';

/** The two documents that are compared, and which of their schemas are being compared just now. */
export interface Comparison {
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Schemas may contain themselves. */
  readonly underWay: ReadonlySet<string>;
}

/** Begins to compare two documents. */
export function comparison(before: JsonObject, after: JsonObject): Comparison {
  return { before, after, underWay: new Set() };
}
