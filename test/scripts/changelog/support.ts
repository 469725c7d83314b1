import type { JsonObject } from '../../../scripts/changelog/json.ts';

/** A document of these paths. */
export function documentOf(paths: JsonObject, components: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', info: { title: 'A', version: '1.0.0' }, paths, components };
}
