import type { Entry } from '../../src/changelog/entries.ts';
import { canonical, expand, isObject, listOf, namesOf, objectOf, resolve, type JsonObject } from './json.ts';
import { compareOperations } from './operations.ts';
import type { Operation } from './operation.ts';
import { removal, breaks, finding, type Finding, type Location } from './rules.ts';
import { comparison } from './comparison.ts';

/** An entry whose changes may be unclassified. */
export interface Draft extends Omit<Entry, 'changes' | 'note'> {
  readonly changes: readonly Finding[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const WHOLE: Location = { direction: 'input', subject: 'document', field: '' };
/** Parts of a document that are compared elsewhere, or make no difference to a program. */
const KNOWN = new Set('openapi info servers paths components tags externalDocs security'.split(' '));

/**
 * Compares two OpenAPI documents: what happened to each operation, removals first, then in the order of the document.
 * Throws `TypeError` if a reference cannot be followed.
 */
export function compareDocuments(before: JsonObject, after: JsonObject): readonly Draft[] {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const documents = comparison(before, after);
  return [
    ...compareWholes(before, after),
    ...namesOf(old.keys(), now.keys()).flatMap((key) => {
      const [was, is] = [old.get(key), now.get(key)];
      if (was === undefined) return is === undefined ? [] : [draft('added', is, false)];
      if (is === undefined) return [draft('removed', was, breaks('input', [removal(isDeprecated(was))]))];
      const changes = compareOperations(documents, was, is);
      return [
        ...(isDeprecated(is) && !isDeprecated(was) ? [draft('deprecated', is, false)] : []),
        ...(changes.length > 0
          ? [
              draft(
                'changed',
                is,
                changes.some(({ breaking }) => breaking),
                changes,
              ),
            ]
          : []),
      ];
    }),
  ].toSorted((one, other) => Number(other.kind === 'removed') - Number(one.kind === 'removed'));
}

function draft(
  kind: Draft['kind'],
  { method, path }: Operation,
  breaking: boolean,
  changes: readonly Finding[] = [],
): Draft {
  return { kind, method: method.toUpperCase(), path, breaking, changes };
}

function isDeprecated({ operation }: Operation): boolean {
  return operation['deprecated'] === true;
}

// By method and path. The names of path parameters make no difference to callers.
function operationsOf(document: JsonObject): ReadonlyMap<string, Operation> {
  const found = Object.entries(objectOf(document['paths'])).flatMap(([path, entry]) => {
    const item = objectOf(resolve(document, entry));
    return METHODS.flatMap((method) => {
      const operation = item[method];
      const key = `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
      return isObject(operation) ? [[key, { method, path, item, operation }] as const] : [];
    });
  });
  return new Map(found);
}

// At most one entry, since entries are named by kind, method and path.
function compareWholes(before: JsonObject, after: JsonObject): readonly Draft[] {
  const changed = namesOf(Object.keys(before), Object.keys(after))
    .filter((name) => !KNOWN.has(name) && !name.startsWith('x-'))
    .filter((name) => canonical(expand(before, before[name])) !== canonical(expand(after, after[name])));
  const moved = addressesOf(before) === addressesOf(after) ? [] : ['servers'];
  const changes = [...changed, ...moved].map((name) => finding(WHOLE, `changed its ${name}`, 'unclassified'));
  return changes.length === 0 ? [] : [{ kind: 'changed', method: 'ANY', path: '*', breaking: true, changes }];
}

// Without `servers`, the server is the one at the document's own address (OpenAPI 3.1, section 4.8.1.1).
function addressesOf({ servers }: JsonObject): string {
  const said = listOf(servers).map((server) => {
    const { url, variables } = objectOf(server);
    return { url: url ?? '', variables: variables ?? {} };
  });
  return canonical(said.length > 0 ? said : [{ url: '/', variables: {} }]);
}
