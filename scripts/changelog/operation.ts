import type { JsonObject } from './json.ts';

/** One method of one path, with what its path says for all its methods. */
export interface Operation {
  readonly method: string;
  /** As the document has it, parameter names included. */
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
}
