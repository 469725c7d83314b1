import { compareDocuments } from '../../../scripts/changelog/compare.ts';
import type { JsonObject } from '../../../scripts/changelog/json.ts';

/** A document of these paths. */
export function documentOf(paths: JsonObject, components: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', info: { title: 'A', version: '1.0.0' }, paths, components };
}

/** What has changed within the operations of a document, and whether it breaks. */
export function within(before: JsonObject, after: JsonObject) {
  return compareDocuments(before, after).flatMap(({ changes }) =>
    changes.map(({ what, breaking, unclassified }) => [
      what,
      unclassified ? 'cannot tell' : breaking ? 'breaks' : 'fits',
    ]),
  );
}
