import { codesOf } from './codes.ts';
import type { Result, Body, Endpoint, FileBody, Parameter, Query } from './endpoint.ts';
import { toEarlyFailures, toFailures, toFallback, type SharedFailures } from './failures.ts';
import { refsTo, type HeaderName } from './headers.ts';
import { propertiesOf, refTo, toJsonSchema, type JsonSchema } from './schema.ts';

const DOMAIN_SERVERS = [
  {
    url: 'https://{domain}',
    description: 'A custom domain',
    variables: { domain: { default: 'go.acme.example', description: 'The host name of the domain' } },
  },
];

/** An operation of OpenAPI 3.1. Failures that it shares with others go into `shared`. */
export function toOperation(endpoint: Endpoint, shared: SharedFailures): JsonSchema {
  const { operationId, tag, summary, description, deprecated, takes, body, answers: responses, headers } = endpoint;
  const query = endpoint.query && toJsonSchema(endpoint.query.schema);
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
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, toResponse(response, headers)]),
      ),
      ...toEarlyFailures(endpoint.earlyCodes ?? []),
      ...toFailures([...codesOf(endpoint)], endpoint, shared),
      // An operation whose only success is a redirect has a default answer.
      ...(Object.keys(responses).every((status) => status > '299') && { default: toFallback(endpoint) }),
    },
  };
}

function toResponse(
  { description, types = ['application/json'], schema, example, also, headers = [], isPageToo }: Result,
  ofAll: readonly HeaderName[],
) {
  const content = schema && toContent(types, typeof schema === 'function' ? refTo(schema) : schema, example);
  return {
    description,
    headers: refsTo([...ofAll, ...headers]),
    ...(content && {
      content: {
        ...content,
        ...(also && toContent([also.type], refTo(also.schema), also.example)),
        ...(isPageToo && { 'text/html': { schema: { type: 'string' } } }),
      },
    }),
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
