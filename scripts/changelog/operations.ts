import type { Operation } from './operation.ts';
import {
  canonical,
  isObject,
  namesOf,
  objectOf,
  resolve,
  textsOf,
  without,
  type Json,
  type JsonObject,
} from './json.ts';
import { compareHeaders } from './headers.ts';
import { compareParameters } from './parameters.ts';
import { finding, type Finding, type Location } from './rules.ts';
import { compareSchemas, isEqual } from './schemas.ts';
import type { Comparison } from './comparison.ts';
import { compareSecurity } from './security.ts';

const WHOLE: Location = { direction: 'input', subject: 'operation', field: '' };
/** Fields of an operation that are compared elsewhere, or make no difference to a program. */
const KNOWN = new Set(
  'tags summary description externalDocs operationId deprecated parameters requestBody responses security servers'.split(
    ' ',
  ),
);

/** Compares an operation that both documents have. */
export function compareOperations(documents: Comparison, before: Operation, after: Operation): readonly Finding[] {
  const [old, now] = [before.operation, after.operation];
  const findings = [
    ...(old['deprecated'] === true && now['deprecated'] !== true
      ? [finding(WHOLE, 'not deprecated any more', 'added')]
      : []),
    ...compareSecurity(documents, before, after),
    ...compareParameters(documents, before, after),
    ...compareBodies(documents, old['requestBody'], now['requestBody']),
    ...compareResponses(documents, objectOf(old['responses']), objectOf(now['responses'])),
    ...namesOf(Object.keys(old), Object.keys(now))
      .filter((name) => !KNOWN.has(name) && !name.startsWith('x-') && !isEqual(documents, old[name], now[name]))
      .map((name) => finding(WHOLE, `changed its ${name}`, 'unclassified')),
  ];
  // Those of an operation override those of its path.
  const [from, to] = [before, after].map(({ operation, item }) => canonical(operation['servers'] ?? item['servers']));
  if (from !== to) findings.push(finding(WHOLE, 'changed its servers', 'unclassified'));
  // The same change of several alternatives is listed once.
  return [...new Map(findings.map((found) => [canonical({ ...found }), found])).values()];
}

function compareBodies(documents: Comparison, before: Json | undefined, after: Json | undefined): readonly Finding[] {
  const location: Location = { direction: 'input', subject: 'request', field: '' };
  const [old, now] = [resolve(documents.before, before), resolve(documents.after, after)];
  const isRequired = objectOf(now)['required'] === true;
  if (!isObject(old) && !isObject(now)) return [];
  if (!isObject(old)) {
    return [
      isRequired ? finding(location, 'body added, required', 'demanded') : finding(location, 'body added', 'added'),
    ];
  }
  if (!isObject(now)) return [finding(location, 'body removed', 'removed')];
  const wasRequired = old['required'] === true;
  return [
    ...(wasRequired === isRequired
      ? []
      : [
          isRequired
            ? finding(location, 'body made required', 'narrowed')
            : finding(location, 'body made optional', 'widened'),
        ]),
    ...compareContents(documents, objectOf(old['content']), objectOf(now['content']), location),
  ];
}

function compareResponses(documents: Comparison, before: JsonObject, after: JsonObject): readonly Finding[] {
  return namesOf(Object.keys(before), Object.keys(after)).flatMap((status) => {
    const location: Location = { direction: 'output', subject: `answer ${status}`, field: '' };
    const [old, now] = [resolve(documents.before, before[status]), resolve(documents.after, after[status])];
    // `default` only allows other statuses: without it there are fewer.
    if (!isObject(now)) return [finding(location, 'removed', status === 'default' ? 'narrowed' : 'removed')];
    if (!isObject(old)) {
      // Until now it was covered by the range of its class.
      const rest = resolve(documents.before, before[`${status.slice(0, 1)}XX`] ?? before['default']);
      const others = objectOf(rest)['content'];
      return [
        finding(location, 'added', isOfNewClass(status, before) ? 'widened' : 'added'),
        ...(others === undefined
          ? []
          : compareContents(documents, objectOf(others), objectOf(now['content']), location)),
      ];
    }
    return [
      ...compareCodes(old, now, location),
      ...compareHeaders(documents, objectOf(old['headers']), objectOf(now['headers']), location),
      ...compareContents(documents, objectOf(old['content']), objectOf(now['content']), location),
      ...(isEqual(documents, old['links'], now['links'])
        ? []
        : [finding(location, 'changed its links', 'unclassified')]),
    ];
  });
}

// Programs treat an unknown status like the first of its class (RFC 9110, section 15), and must expect failures. A
// redirect where there was none is a new class.
function isOfNewClass(status: string, before: JsonObject): boolean {
  // Only conditional requests, such as with `If-None-Match`, get this answer (RFC 9110, section 15.4.5).
  if (status === '304') return false;
  return /^[123]/.test(status) && !Object.keys(before).some((known) => known.startsWith(status.slice(0, 1)));
}

function compareCodes(old: JsonObject, now: JsonObject, location: Location): readonly Finding[] {
  const [before, after] = [old, now].map((response) => new Set(textsOf(response['x-error-codes'])));
  if (!before || !after) return [];
  return (
    [
      ['lost', without(before, after)],
      ['gained', without(after, before)],
    ] as const
  ).flatMap(([verb, codes]) => {
    const listed = codes.map((code) => `\`${code}\``).join(', ');
    return codes.length === 0
      ? []
      : [finding(location, `${verb} the error code${codes.length > 1 ? 's' : ''} ${listed}`, 'words')];
  });
}

function compareContents(
  documents: Comparison,
  before: JsonObject,
  after: JsonObject,
  location: Location,
): readonly Finding[] {
  const types = namesOf(Object.keys(before), Object.keys(after));
  return types.flatMap((type) => {
    const there = types.length === 1 ? location : { ...location, subject: `${location.subject} (${type})` };
    const [old, now] = [before[type], after[type]];
    if (old === undefined) return [finding(there, types.length === 1 ? `body (${type}) added` : 'added', 'added')];
    if (now === undefined)
      return [finding(there, types.length === 1 ? `body (${type}) removed` : 'removed', 'removed')];
    const [one, other] = [objectOf(old), objectOf(now)];
    return [
      ...compareSchemas(documents, one['schema'], other['schema'], there),
      ...(isEqual(documents, one['encoding'], other['encoding'])
        ? []
        : [finding(there, 'changed its encoding', 'unclassified')]),
    ];
  });
}
