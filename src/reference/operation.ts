import type * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import { toFailures, type SharedFailures, type Unauthorized } from './failures.ts';
import { refsTo, type HeaderName } from './headers.ts';
import { refTo, toJsonSchema, type JsonSchema, type Named } from './schema.ts';

/** What the document says of one method at one path, in few words; `toOperation` says the rest. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** With its parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  /** The credentials that are taken, each by itself. */
  readonly takes: readonly ('basic' | 'bearer' | 'apiKey' | 'none')[];
  readonly pathParameters?: Readonly<Record<string, Parameter>>;
  readonly query?: Query;
  readonly requestHeaders?: Readonly<Record<string, Parameter>>;
  readonly body?: Body | FileBody;
  /** The answers that are no failures, by status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Its own error codes; those that go with its credentials, its query and its body are added to them. */
  readonly codes: readonly ErrorCode[];
  readonly unauthorized?: Unauthorized;
  /** Where the published interface documents another status for a code. */
  readonly statusOf?: Partial<Record<ErrorCode, number>>;
  /** Headers of all its answers. */
  readonly headers: readonly HeaderName[];
  /** Whether browsers are told of a failure by a page. */
  readonly hasPages?: true;
}

export interface Parameter {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly example?: unknown;
}

export interface Query {
  readonly schema: z.ZodType;
  /** Parameters of the schema that this endpoint does not take. */
  readonly without?: readonly string[];
  readonly example?: Readonly<Record<string, unknown>>;
}

export interface Body {
  readonly types: readonly ('application/json' | 'multipart/form-data' | 'application/x-www-form-urlencoded')[];
  readonly schema: Named;
  readonly example: Readonly<Record<string, unknown>>;
}

/** A body that is a file, with an example of each type that it may have. */
export interface FileBody {
  readonly files: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  /** `application/json` unless it says otherwise. */
  readonly types?: readonly string[];
  readonly schema?: Named | JsonSchema;
  readonly example?: unknown;
  /** Whether browsers are given a page instead. */
  readonly isPageToo?: true;
}

/** An operation of OpenAPI 3.1. Failures that it has in common with others go into `shared`. */
export function toOperation(endpoint: Endpoint, shared: SharedFailures): JsonSchema {
  const { operationId, tag, summary, description, deprecated, takes, body, answers, headers } = endpoint;
  const query = endpoint.query && toJsonSchema(endpoint.query.schema);
  const codes = new Set([
    ...endpoint.codes,
    ...codesOfCredential(endpoint),
    ...codesOfQuery(query),
    ...codesOfBody(body),
  ]);
  const parameters = [
    ...toParameters('path', endpoint.pathParameters),
    ...toQueryParameters(query, endpoint.query),
    ...toParameters('header', endpoint.requestHeaders),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(deprecated && { deprecated }),
    security: takes.map((scheme) => (scheme === 'none' ? {} : { [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toResponse(answer, headers)])),
      ...toFailures([...codes], endpoint, shared),
    },
  };
}

function toResponse(
  { description, types = ['application/json'], schema, example, headers = [], isPageToo }: Answer,
  ofAll: readonly HeaderName[],
) {
  const content = schema && toContent(types, typeof schema === 'function' ? refTo(schema) : schema, example);
  return {
    description,
    headers: refsTo([...ofAll, ...headers]),
    ...(content && { content: { ...content, ...(isPageToo && { 'text/html': { schema: { type: 'string' } } }) } }),
  };
}

function contentOf(body: Body | FileBody): JsonSchema {
  if (!('files' in body)) return toContent(body.types, refTo(body.schema), body.example);
  const files = Object.entries(body.files);
  return Object.fromEntries(files.map(([type, example]) => [type, { schema: { type: 'string' }, example }]));
}

function toContent(types: readonly string[], schema: JsonSchema, example: unknown): JsonSchema {
  return Object.fromEntries(types.map((type) => [type, { schema, ...(example !== undefined && { example }) }]));
}

function toParameters(place: 'path' | 'header', parameters: Readonly<Record<string, Parameter>> = {}): JsonSchema[] {
  return Object.entries(parameters).map(([name, { description, schema, example }]) => ({
    name,
    in: place,
    description,
    required: place === 'path',
    schema: schema ? toJsonSchema(schema) : { type: 'string' },
    ...(example !== undefined && { example }),
  }));
}

function toQueryParameters(
  query: JsonSchema | undefined,
  { without = [], example = {} }: Partial<Query> = {},
): JsonSchema[] {
  const required: unknown = query?.['required'];
  return Object.entries(propertiesOf(query))
    .filter(([name]) => !without.includes(name))
    .map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      description,
      required: Array.isArray(required) && required.includes(name),
      schema,
      ...(name in example && { example: example[name] }),
    }));
}

function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const properties: unknown = schema?.['properties'];
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
}

function codesOfCredential({ takes }: Endpoint): ErrorCode[] {
  return takes.some((scheme) => scheme !== 'none') ? ['missing_credential', 'invalid_credential'] : [];
}

// A query that is open refuses nothing.
function codesOfQuery(query: JsonSchema | undefined): ErrorCode[] {
  if (query?.['additionalProperties'] !== false) return [];
  const ofClient = 'client_id' in propertiesOf(query) ? (['invalid_client_id'] as const) : [];
  return ['unknown_field', 'repeated_field', ...ofClient];
}

function codesOfBody(body: Body | FileBody | undefined): ErrorCode[] {
  if (!body) return [];
  if ('files' in body) return ['unsupported_media_type', 'body_too_large', 'malformed_body'];
  const { required, additionalProperties } = toJsonSchema(body.schema());
  const hasForm = body.types.some((type) => type !== 'application/json');
  return [
    'unsupported_media_type',
    'body_too_large',
    'malformed_body',
    ...(hasForm ? (['file_field', 'repeated_field'] as const) : []),
    ...(additionalProperties === false ? (['unknown_field'] as const) : []),
    ...(required ? (['missing_field'] as const) : []),
  ];
}
