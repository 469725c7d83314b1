import { nameOf, type ApiDocument, type Endpoint, type Schema } from './document.ts';

export type Objects = readonly (readonly [name: string, schema: Schema])[];

/** The schemas with a name that the operations of a page refer to, directly or not, in the order of their names. */
export function objectsOf(endpoints: readonly Endpoint[], { components: { schemas } }: ApiDocument): Objects {
  const found = new Set<string>();
  const visit = (schema: Schema): void => {
    const name = nameOf(schema);
    if (name !== null) {
      if (found.has(name)) return;
      found.add(name);
      visit(schemas[name] ?? {});
    }
    for (const child of childrenOf(schema)) visit(child);
  };
  for (const { operation } of endpoints) {
    for (const { content = {} } of Object.values(operation.responses)) {
      for (const { schema } of Object.values(content))
        if (schema !== undefined && nameOf(schema) !== 'Failure') visit(schema);
    }
    for (const { schema } of shownBodies(operation.requestBody?.content ?? {})) {
      // Its own fields are shown with the operation.
      const body = schema === undefined ? {} : (schemas[nameOf(schema) ?? ''] ?? schema);
      for (const child of childrenOf(body)) visit(child);
    }
  }
  return [...found].toSorted().map((name) => [name, schemas[name] ?? {}] as const);
}

/** As many fields as an object has that others refer to. */
const MIN_SHARED = 8;

/** The largest other object whose fields all belong to an object too; null if there is none of some size. */
export function baseOf(
  { properties = {} }: Schema,
  objects: Objects,
): { readonly name: string; readonly properties: Readonly<Record<string, Schema>> } | null {
  const bases = objects.flatMap(([name, { properties: others = {} }]) => {
    const entries = Object.entries(others);
    const isBase =
      entries.length >= MIN_SHARED &&
      entries.length < Object.keys(properties).length &&
      entries.every(([field, schema]) => JSON.stringify(schema) === JSON.stringify(properties[field]));
    return isBase ? [{ name, properties: others }] : [];
  });
  return bases.toSorted((a, b) => Object.keys(b.properties).length - Object.keys(a.properties).length)[0] ?? null;
}

function shownBodies(content: Readonly<Record<string, { readonly schema?: Schema }>>) {
  const json = content['application/json'];
  return json === undefined ? Object.values(content) : [json];
}

function childrenOf({
  properties = {},
  additionalProperties,
  items,
  oneOf,
  anyOf,
  allOf,
  contentSchema,
}: Schema): Schema[] {
  return [
    ...Object.values(properties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...[items ?? [], oneOf ?? [], anyOf ?? [], allOf ?? [], contentSchema ?? []].flat(),
  ];
}
