import type { ErrorCode } from '../../src/errors.ts';
import { JSON_TYPE } from '../../src/http/json.ts';
import type { Body, Endpoint, FileBody } from './endpoint.ts';
import { propertiesOf, toJsonSchema, type JsonSchema } from './schema.ts';

/** Which error codes an endpoint can respond with. */

/** All codes of an endpoint: its own, and those of its credentials, its query and its body. */
export function codesOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  return new Set([
    ...endpoint.codes,
    ...codesOfCredential(endpoint),
    ...codesOfWrite(endpoint),
    ...codesOfQuery(endpoint),
    ...codesOfBody(endpoint.body),
  ]);
}

function codesOfCredential({ takes }: Endpoint): ErrorCode[] {
  return takes.some((scheme) => scheme !== 'none') ? ['missing_credential', 'invalid_credential'] : [];
}

// All writes with a credential have rate limits.
function codesOfWrite({ method, isRead, takes }: Endpoint): ErrorCode[] {
  return method !== 'get' && !isRead && takes.some((scheme) => scheme !== 'none') ? ['too_many_requests'] : [];
}

// An open query refuses no parameter.
function codesOfQuery({ query }: Endpoint): ErrorCode[] {
  if (!query) return [];
  const schema = toJsonSchema(query.schema);
  if (schema['additionalProperties'] !== false) return [];
  const fields = Object.entries(propertiesOf(schema)).filter(([name]) => !query.without?.includes(name));
  const refusing = fields.filter(([name, field]) => name === 'client_id' || !isAnyText(field));
  return ['unknown_field', 'repeated_field', 'too_long', ...refusing.map(([name]) => invalid(name))];
}

/** True if a parameter can be any text. */
const isAnyText = (schema: JsonSchema) => Object.keys(schema).every((name) => OF_ANY_TEXT.has(name));
const OF_ANY_TEXT = new Set(['type', 'description', 'examples', 'maxLength']);

function codesOfBody(body: Body | FileBody | undefined): ErrorCode[] {
  if (!body) return [];
  if ('files' in body) return ['unsupported_media_type', 'body_too_large', 'malformed_body'];
  const { types, schema, json = schema } = body;
  const { required, additionalProperties, ...rest } = toJsonSchema(schema());
  const isClosed = additionalProperties === false;
  const fields = Object.keys({ ...propertiesOf(rest), ...propertiesOf(toJsonSchema(json())) });
  const hasForm = types.some((type) => type !== JSON_TYPE);
  return [
    'unsupported_media_type',
    'body_too_large',
    'malformed_body',
    ...(hasForm ? (['file_field', 'repeated_field'] as const) : []),
    ...(isClosed ? (['unknown_field'] as const) : []),
    ...(required ? (['missing_field'] as const) : []),
    ...(isClosed ? fields.map(invalid) : []),
  ];
}

// If a new field has no code yet, `npm run types` adds it to `errors.ts`.
const invalid = (name: string) => `invalid_${name}` as ErrorCode;
