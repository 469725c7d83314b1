import { MCP_SEGMENT } from '../../src/http/paths.ts';
import { Validator, type Schema } from '@cfworker/json-schema';
import { expect } from 'vitest';
import { PROBLEM_TYPE } from '../../src/http/accept.ts';
import { slugOfPath } from '../../src/links/redirect/slug-path.ts';

import { openApiDocument } from '../../scripts/reference/document.ts';
import { mapSchemas, type JsonSchema } from '../../scripts/reference/json-schema.ts';

/** Checks answers against the API document. The validator needs no eval, which workerd does not have. */

interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Answer {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly 'x-error-codes'?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly servers?: readonly {
    readonly url: string;
    readonly variables?: Readonly<Record<string, { readonly default: string }>>;
  }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly 'x-problem-details': { readonly schema: Schema };
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly required: boolean; readonly schema: Schema }>>;
  };
}

const text = JSON.stringify(openApiDocument());
const { components }: { components: { responses: Readonly<Record<string, Answer>> } } = JSON.parse(text);
const SHARED = /^#\/components\/responses\/(\w+)$/;

/** The document, in which references to shared parts are replaced by those parts. */
export const DOCUMENT: Document = JSON.parse(
  text,
  (_, value: unknown) => components.responses[SHARED.exec(Object(value).$ref)?.[1] ?? ''] ?? value,
);

export interface Documented {
  /** The method and the path, as `GET /v1/links/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Every operation of the document. */
export const OPERATIONS: readonly Documented[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([word, operation]) => {
    const method = word.toUpperCase();
    return { name: `${method} ${path}`, method, path, operation };
  }),
);

// A concrete path is matched before one with parameters, as in OpenAPI.
const patterns = OPERATIONS.map((documented) => ({
  documented,
  pattern: new RegExp(`^${documented.path.replace(/[.+]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
})).toSorted((a, b) => a.documented.path.split('{').length - b.documented.path.split('{').length);

/** The operation of a request, or undefined if the document has none. */
export function operationOf(method: string, pathname: string): Documented | undefined {
  const path = patterns.find(({ pattern }) => pattern.test(pathname))?.documented.path;
  // A path that cannot be a slug is not an unknown short link, but an unknown path.
  if (path === '/{slug}' && [null, MCP_SEGMENT].includes(slugOfPath(pathname, ''))) return undefined;
  return OPERATIONS.find((documented) => documented.path === path && documented.method === method);
}

const close = (schema: JsonSchema) =>
  'properties' in schema && !('additionalProperties' in schema) ? { ...schema, additionalProperties: false } : schema;

/** The schemas of the document without further fields: callers must accept those, tests must not. */
const CLOSED = Object.fromEntries(
  Object.entries(DOCUMENT.components.schemas).map(([name, schema]) => [name, mapSchemas(schema, close)]),
);

// A validator takes longer to build than to use.
const open = new WeakMap<Schema, Validator>();
const closed = new WeakMap<Schema, Validator>();

/** The faults of a value, by a schema of the document. */
export function faultsOf(schema: Schema, value: unknown): readonly string[] {
  return validate(open, schema, () => ({ ...schema, components: DOCUMENT.components }), value);
}

/** The faults of an answer's body, including undocumented fields. */
export function answerFaults(schema: Schema, value: unknown): readonly string[] {
  return validate(closed, schema, () => ({ ...mapSchemas(schema, close), components: { schemas: CLOSED } }), value);
}

function validate(
  validators: WeakMap<Schema, Validator>,
  schema: Schema,
  whole: () => Schema,
  value: unknown,
): readonly string[] {
  const validator = validators.get(schema) ?? new Validator(whole(), '2020-12', false);
  validators.set(schema, validator);
  const { valid, errors } = validator.validate(value);
  return valid ? NONE : errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

const NONE: readonly string[] = [];

/**
 * Expects an answer that the document describes: its status, its headers, the type of its body, and all of its JSON.
 */
export async function expectAsDocumented({ name, operation }: Documented, response: Response): Promise<void> {
  const [type = ''] = (response.headers.get('Content-Type') ?? '').split(';');
  const context = `${name} answered ${response.status} ${type}`;
  // Errors have their own statuses in the document; the default is for redirects and pages.
  const others = response.status < 400 ? operation.responses['default'] : undefined;
  const answer = operation.responses[response.status] ?? others;
  if (!answer) throw new Error(`${context}: the document has no such status.`);
  for (const header of Object.keys(answer.headers ?? {})) expectNone(headerFaults(response, header), context);
  if (type === PROBLEM_TYPE) return expectProblem(context, answer, await response.clone().text());
  if (answer === others && type === '') return;
  expectAmong(answer.content ? Object.keys(answer.content) : [''], type, context);
  // A file may be a stream that the test reads itself.
  const content = type === 'application/json' ? answer.content?.[type] : undefined;
  if (!content) return;
  const text = await response.clone().text();
  expectNone(bodyFaults(content.schema, text), `${context} ${text.slice(0, 300)}`);
  const codes = answer['x-error-codes'];
  if (codes) expectAmong(codes, codeOf(text), context);
}

// Each answer of all tests is checked, and Vitest takes longer for an expectation than the check does.
function expectNone(faults: readonly string[], context: string): void {
  if (faults.length > 0) expect(faults, context).toEqual([]);
}

function expectAmong(words: readonly string[], word: string, context: string): void {
  if (!words.includes(word)) expect(words, context).toContain(word);
}

function expectProblem(context: string, answer: Answer, text: string): void {
  const problem: { code: string } = JSON.parse(text);
  expectNone(faultsOf(DOCUMENT['x-problem-details'].schema, problem), `${context} ${text}`);
  // The 401 answers with bodies of their own have no codes.
  const codes = answer['x-error-codes'];
  if (codes) expectAmong(codes, problem.code, context);
}

/** The code in the body of a failure. */
export function codeOf(text: string): string {
  const { error }: { error: string } = JSON.parse(text);
  return error.split(':', 1)[0] ?? '';
}

function headerFaults({ headers }: Response, name: string): readonly string[] {
  const component = DOCUMENT.components.headers[name];
  if (!component) return [`${name} is not described`];
  const value = headers.get(name);
  if (value === null) return component.required ? [`${name} is missing`] : [];
  return faultsOf(component.schema, component.schema.type === 'integer' ? Number(value) : value);
}

function bodyFaults(schema: Schema, text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  return [...answerFaults(schema, value), ...innerFaults(schema, value)];
}

/** The faults of the JSON text in `result`, which JSON Schema does not check itself (`contentSchema`). */
function innerFaults(schema: Schema, value: unknown): readonly string[] {
  const inner = schemaOf(schema).properties?.['result'];
  if (typeof inner !== 'object' || !('contentSchema' in inner)) return [];
  return answerFaults(inner.contentSchema as Schema, JSON.parse(Object(value)['result']));
}

function schemaOf({ $ref, ...schema }: Schema): Schema {
  return DOCUMENT.components.schemas[$ref?.split('/').at(-1) ?? ''] ?? schema;
}
