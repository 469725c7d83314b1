import { canonical, listOf, namesOf, objectOf, resolve, textOf, textsOf, type Json, type JsonObject } from './json.ts';
import type { Operation } from './operation.ts';
import { finding, removal, type Finding, type Location } from './rules.ts';
import { compareSchemas } from './schemas.ts';
import type { Comparison } from './comparison.ts';

/** Compares the parameters of an operation. Those of its path are matched by their place in it. */
export function compareParameters(documents: Comparison, before: Operation, after: Operation): readonly Finding[] {
  const [old, now] = [parametersOf(documents.before, before), parametersOf(documents.after, after)];
  return namesOf(old.keys(), now.keys()).flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)];
    const location = locationOf(is ?? was ?? {});
    if (was === undefined) {
      return [
        is?.['required'] === true
          ? finding(location, 'added, required', 'demanded')
          : finding(location, 'added', 'added'),
      ];
    }
    if (is === undefined) return [finding(location, 'removed', removal(was['deprecated'] === true))];
    return compareParameter(documents, was, is, location);
  });
}

/** Compares a parameter, or a header of an answer, which has the same fields. */
export function compareParameter(
  documents: Comparison,
  was: JsonObject,
  is: JsonObject,
  location: Location,
): readonly Finding[] {
  const [wasRequired, isRequired] = [was['required'] === true, is['required'] === true];
  const [wasDeprecated, isDeprecated] = [was['deprecated'] === true, is['deprecated'] === true];
  return [
    ...(isRequired && !wasRequired ? [finding(location, 'made required', 'narrowed')] : []),
    ...(wasRequired && !isRequired ? [finding(location, 'made optional', 'widened')] : []),
    ...(isDeprecated && !wasDeprecated ? [finding(location, 'deprecated', 'deprecated')] : []),
    ...(wasDeprecated && !isDeprecated ? [finding(location, 'not deprecated any more', 'added')] : []),
    ...compareSchemas(documents, schemaOf(was), schemaOf(is), location),
    ...['style', 'explode', 'allowReserved', 'allowEmptyValue']
      .filter((name) => spelling(was, name) !== spelling(is, name))
      .map((name) => finding(location, `changed its ${name}`, 'unclassified')),
    ...(mediaTypeOf(was) === mediaTypeOf(is) ? [] : [finding(location, 'changed its content type', 'unclassified')]),
  ];
}

function parametersOf(document: JsonObject, { path, item, operation }: Operation): ReadonlyMap<string, JsonObject> {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  // Those of the operation come last, so that they override those of the path.
  const all = [...listOf(item['parameters']), ...listOf(operation['parameters'])];
  return new Map(
    all.map((entry) => {
      const parameter = objectOf(resolve(document, entry));
      const name = textOf(parameter['name']);
      if (parameter['in'] === 'path') return [`path ${inPath.indexOf(name)}`, parameter];
      return [`${textOf(parameter['in'])} ${parameter['in'] === 'header' ? name.toLowerCase() : name}`, parameter];
    }),
  );
}

function locationOf(parameter: JsonObject): Location {
  const subject = `${textOf(parameter['in'])} parameter \`${textOf(parameter['name'])}\``;
  return { direction: 'input', subject, field: '' };
}

// A parameter without a content type is written by its style.
function mediaTypeOf({ content }: JsonObject): string {
  return Object.keys(objectOf(content)).join();
}

function schemaOf(parameter: JsonObject) {
  const [content] = Object.values(objectOf(parameter['content']));
  const schema = parameter['schema'] ?? objectOf(content)['schema'];
  return isWrittenAsBoolean(schema) ? { type: 'boolean' } : schema;
}

// Values in a URL or a header are always texts.
function isWrittenAsBoolean(schema: Json | undefined): boolean {
  const { type, enum: words } = objectOf(schema);
  return type === 'string' && canonical(textsOf(words).toSorted()) === '["false","true"]';
}

// The defaults of OpenAPI 3.1, section 4.8.12.2.
function spelling(parameter: JsonObject, name: string): string {
  const style = parameter['style'] ?? (parameter['in'] === 'query' || parameter['in'] === 'cookie' ? 'form' : 'simple');
  if (name === 'style') return canonical(style);
  return canonical(parameter[name] ?? (name === 'explode' ? style === 'form' : false));
}
