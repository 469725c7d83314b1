import type { JsonObject } from './json.ts';

/** The two documents that are compared, and the schemas whose comparison has begun. */
export interface Comparison {
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Schemas may contain themselves. */
  readonly underWay: ReadonlySet<string>;
}

/** Begins the comparison of two documents. */
export function comparison(before: JsonObject, after: JsonObject): Comparison {
  return { before, after, underWay: new Set() };
}
