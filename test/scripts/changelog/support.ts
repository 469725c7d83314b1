import { expect, it } from 'vitest';
import { compareDocuments } from '../../../scripts/changelog/compare.ts';
import type { Json, JsonObject } from '../../../scripts/changelog/json.ts';

/** A document of these paths. */
export function documentOf(paths: JsonObject, components: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', info: { title: 'A', version: '1.0.0' }, paths, components };
}

/** Lists the changes within the operations of a document, and whether they break programs. */
export function within(before: JsonObject, after: JsonObject) {
  return compareDocuments(before, after).flatMap(({ changes }) =>
    changes.map(({ what, breaking, unclassified }) => [
      what,
      unclassified ? 'cannot tell' : breaking ? 'breaks' : 'fits',
    ]),
  );
}

/** Finds the changes where one and the same schema is what callers send, and what they are given. */
export function found(before: Json, after: Json, components: { [name: string]: Json } = {}) {
  const operations = [before, after].map((schema) => ({
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: '', content: { 'application/json': { schema } } } },
  }));
  const [old, now] = operations.map((post) => documentOf({ '/x': { post } }, { schemas: components }));
  const findings = compareDocuments(old ?? {}, now ?? {}).flatMap(({ changes }) => changes);
  const of = (subject: string) =>
    findings
      .filter(({ what }) => what.startsWith(subject))
      .map(({ what, breaking, unclassified }) => [
        what.slice(subject.length + 1),
        unclassified ? 'cannot tell' : breaking ? 'breaks' : 'fits',
      ]);
  return { sent: of('request'), given: of('answer 200') };
}

/** An object with these fields; those named are required. */
export const object = (properties: { [name: string]: Json }, ...required: string[]): Json => ({
  type: 'object',
  properties,
  required,
});

/** A change of a schema. */
export type Rule = readonly [
  name: string,
  before: Json,
  after: Json,
  what: string,
  /** The verdict for requests. */
  sent: string,
  /** The verdict for answers; '' is no change. */
  given: string,
];

/** Tests each rule: the sentence, and its verdict for requests and for answers. */
export function testRules(rules: readonly Rule[]): void {
  it.each(rules)('%s', (_, before, after, what, sent, given) => {
    const { sent: request, given: answer } = found(before, after);
    expect(request).toContainEqual([what, sent]);
    if (given === '') expect(answer).toEqual([]);
    else expect(answer).toContainEqual([what, given]);
  });
}
