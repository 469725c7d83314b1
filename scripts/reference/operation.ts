import type * as z from 'zod';
import type { ErrorCode } from '../../src/errors.ts';
import { MULTIPART, URLENCODED } from '../../src/http/form.ts';
import { JSON_TYPE } from '../../src/http/json.ts';
import { toEarlyFailures, toFailures, toFallback, type SharedFailures, type Unauthorized } from './failures.ts';
import { refsTo, type HeaderName } from './headers.ts';
import { refTo, toJsonSchema, type JsonSchema, type Named } from './schema.ts';

/** A short description of one method at one path; `toOperation` adds the rest. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With its parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  /** Whether it changes nothing, although it has a body. */
  readonly isRead?: true;
  /** The accepted credentials, each alone. */
  readonly takes: readonly ('basic' | 'bearer' | 'apiKey' | 'none')[];
  readonly pathParameters?: Readonly<Record<string, Parameter>>;
  readonly query?: Query;
  readonly requestHeaders?: Readonly<Record<string, Parameter>>;
  readonly body?: Body | FileBody;
  /** The successful answers, by status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Its own error codes; those of its credentials, its query and its body are added to them. */
  readonly codes: readonly ErrorCode[];
  /** Codes that are answered before the API is reached, and so without its headers. */
  readonly earlyCodes?: readonly ErrorCode[];
  readonly unauthorized?: Unauthorized;
  /** The statuses of codes that differ in the published interface. */
  readonly statusOf?: Partial<Record<ErrorCode, number>>;
  /** Headers of all its answers. */
  readonly headers: readonly HeaderName[];
  /** Whether browsers get errors as pages. */
  readonly hasPages?: true;
  /** Whether custom domains answer it, and the service's own host does not. */
  readonly isOfDomains?: true;
  /** What an answer with any other status is, if its only documented success is a redirect. */
  readonly others?: string;
}

export interface Parameter {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly example?: unknown;
}

export interface Query {
  readonly schema: z.ZodType;
  /** Parameters of the schema that this endpoint does not accept. */
  readonly without?: readonly string[];
  readonly example?: Readonly<Record<string, unknown>>;
}

/** The types of a body that is a form. */
export const FORM_TYPES = [MULTIPART, URLENCODED] as const;

interface Body {
  readonly types: readonly (typeof JSON_TYPE | (typeof FORM_TYPES)[number])[];
  readonly schema: Named;
  /** The schema of JSON, if it differs from that of the form. */
  readonly json?: Named;
  readonly example: Readonly<Record<string, unknown>>;
}

/** A body that is a file, with an example for each of its types, or a form whose only field is the file. */
interface FileBody {
  readonly files: Readonly<Record<string, string>>;
  readonly inForm: { readonly type: string; readonly field: string; readonly schema: Named };
}

interface Answer {
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  /** `application/json` by default. */
  readonly types?: readonly string[];
  readonly schema?: Named | JsonSchema;
  readonly example?: unknown;
  /** Whether browsers get a page instead. */
  readonly isPageToo?: true;
}

const DOMAIN_SERVERS = [
  {
    url: 'https://{domain}',
    description: 'A custom domain',
    variables: { domain: { default: 'go.acme.example', description: 'The host name of the domain' } },
  },
];

/** An operation of OpenAPI 3.1. Failures that it shares with others go into `shared`. */
export function toOperation(endpoint: Endpoint, shared: SharedFailures): JsonSchema {
  const { operationId, tag, summary, description, deprecated, takes, body, answers, headers } = endpoint;
  const query = endpoint.query && toJsonSchema(endpoint.query.schema);
  const codes = new Set([
    ...endpoint.codes,
    ...codesOfCredential(endpoint),
    ...codesOfWrite(endpoint),
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
    ...(endpoint.isOfDomains && { servers: DOMAIN_SERVERS }),
    security: takes.map((scheme) => (scheme === 'none' ? {} : { [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toResponse(answer, headers)])),
      ...toEarlyFailures(endpoint.earlyCodes ?? []),
      ...toFailures([...codes], endpoint, shared),
      // An operation whose only success is a redirect has a default answer.
      ...(Object.keys(answers).every((status) => status > '299') && { default: toFallback(endpoint) }),
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
  if (!('files' in body)) {
    const { types, schema, json = schema, example } = body;
    const contents = types.map((type) =>
      toContent([type], refTo(type === 'application/json' ? json : schema), example),
    );
    return Object.assign({}, ...contents);
  }
  const files = Object.entries(body.files);
  const { type, field, schema } = body.inForm;
  return Object.fromEntries([
    ...files.map(([type, example]) => [type, { schema: { type: 'string' }, example }]),
    [type, { schema: refTo(schema), example: { [field]: files[0]?.[1] } }],
  ]);
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

// All writes with a credential have rate limits.
function codesOfWrite({ method, isRead, takes }: Endpoint): ErrorCode[] {
  return method !== 'get' && !isRead && takes.some((scheme) => scheme !== 'none') ? ['too_many_requests'] : [];
}

// An open query refuses no parameter.
function codesOfQuery(query: JsonSchema | undefined): ErrorCode[] {
  if (query?.['additionalProperties'] !== false) return [];
  const ofClient = 'client_id' in propertiesOf(query) ? (['invalid_client_id'] as const) : [];
  return ['unknown_field', 'repeated_field', 'too_long', ...ofClient];
}

function codesOfBody(body: Body | FileBody | undefined): ErrorCode[] {
  if (!body) return [];
  if ('files' in body) return ['unsupported_media_type', 'body_too_large', 'malformed_body'];
  const { required, additionalProperties } = toJsonSchema(body.schema());
  const hasForm = body.types.some((type) => type !== JSON_TYPE);
  return [
    'unsupported_media_type',
    'body_too_large',
    'malformed_body',
    ...(hasForm ? (['file_field', 'repeated_field'] as const) : []),
    ...(additionalProperties === false ? (['unknown_field'] as const) : []),
    ...(required ? (['missing_field'] as const) : []),
  ];
}
