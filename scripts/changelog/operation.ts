import type { JsonObject } from './json.ts';

/** One method of one path, with the fields that the path has for all its methods. */
export interface Operation {
  readonly method: string;
  /** As in the document, with the names of parameters. */
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
}
