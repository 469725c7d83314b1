import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../scripts/reference/document.ts';
import { DOCUMENT, OPERATIONS } from '../support/documented.ts';

/** A schema of the document, or another part of it. */
interface Part {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly description?: unknown;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly oneOf?: readonly Part[];
  readonly discriminator?: { readonly propertyName: string };
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

/** All schemas within a value, itself included, by their path. */
function* partsOf(value: unknown, at: string): Generator<readonly [at: string, part: Part]> {
  if (!isPart(value)) return;
  yield [at, value];
  for (const [name, inner] of Object.entries(value)) yield* partsOf(inner, `${at}.${name}`);
}

/** The document without examples, since those may look like schemas. */
const { components, paths } = JSON.parse(JSON.stringify(openApiDocument()), (name, value: unknown) =>
  name === 'example' || name === 'examples' ? undefined : value,
);
const parts = [...partsOf(components.schemas, 'components.schemas'), ...partsOf(paths, 'paths')];
const objects = parts.filter(([, { properties, type }]) => isPart(properties) && type !== undefined);

const isSaid = (words: unknown) => typeof words === 'string' && words.trim().length > 3;

describe('the API document', () => {
  it('the API document has a summary and a description of every operation', () => {
    const silent = OPERATIONS.filter(({ operation }) => !isSaid(Reflect.get(operation, 'description')));
    expect(silent.map(({ name }) => `${name} has no description`)).toEqual([]);
    expect(OPERATIONS.filter(({ operation }) => !isSaid(Reflect.get(operation, 'summary')))).toEqual([]);
  });

  it('the API document describes every parameter and every header', () => {
    const silent = OPERATIONS.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter((parameter) => !isSaid(Reflect.get(parameter, 'description')))
        .map((parameter) => `${name}: the parameter ${parameter.name} has no description`),
    );
    expect(silent).toEqual([]);
    const headers = Object.entries(DOCUMENT.components.headers);
    expect(headers.filter(([, header]) => !isSaid(Reflect.get(header, 'description')))).toEqual([]);
  });

  it('the API document describes every field', () => {
    const fields = objects.flatMap(([at, { properties = {} }]) =>
      Object.entries(properties).map(([name, field]) => [`${at}.${name}`, field] as const),
    );
    expect(fields.length).toBeGreaterThan(200);
    const silent = fields.filter(([, { description }]) => !isSaid(description));
    expect(silent.map(([at]) => `${at} has no description: .meta({ description }) where the field is defined`)).toEqual(
      [],
    );
  });

  it('the API document has a name for every object, so that generated clients have a name for its type', () => {
    const nameless = objects.filter(([at]) => !/^components\.schemas\.\w+$/.test(at));
    expect(nameless.map(([at]) => `${at} has no name: make it with input() or output()`)).toEqual([]);
  });

  it('the API document has a discriminator for alternatives', () => {
    const choices = parts.filter(([, { oneOf }]) => Array.isArray(oneOf));
    expect(choices.map(([at, { discriminator }]) => [at, discriminator?.propertyName])).toEqual(
      choices.map(([at]) => [at, expect.any(String)]),
    );
    expect(choices.map(([at]) => at)).toContain('components.schemas.BatchResults.properties.results.items');
  });
});
