import type { JsonSchema } from './schema.ts';

/** The headers of answers that the document describes. */
const HEADERS = {
  'X-Request-Id': { description: 'The id of this request in the logs; a UUID that you send is used', required: true },
  'WWW-Authenticate': {
    description: 'The credentials that the endpoint accepts (RFC 9110, section 11.6.1)',
    required: true,
  },
  'Retry-After': { description: 'How many seconds to wait before you try again', required: true, type: 'integer' },
  ETag: { description: 'The version of this content, for If-Match or If-None-Match', required: true },
  'Cache-Control': { description: 'How long the response can be cached', required: true },
  'Content-Disposition': { description: 'The name of the file', required: true },
  'Filtered-From': {
    description: 'The first day that is counted; absent if all days are counted. As `filtered_from` in JSON',
    required: false,
  },
  'Compare-Filtered-From': {
    description: 'The same of the days that are compared',
    required: false,
  },
  Location: { description: 'The destination of the link, or the path of a created link', required: true },
  'X-Robots-Tag': { description: 'noindex: not for search engines', required: true },
  Vary: { description: 'Accept: browsers get a page', required: true },
  Deprecation: { description: 'Since when the endpoint is deprecated (RFC 9745)', required: false },
  Sunset: {
    description: 'When the endpoint is removed, or stops accepting new tokens (RFC 8594); absent if no date is set',
    required: false,
  },
  Link: {
    description: 'The endpoint that replaces this one, and the changelog, which announces its removal (RFC 8288)',
    required: true,
  },
} as const satisfies Record<string, HeaderWords>;

interface HeaderWords {
  readonly description: string;
  readonly required: boolean;
  readonly type?: string;
}

export type HeaderName = keyof typeof HEADERS;

/** The headers as a part of `components`. */
export function headerComponents(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, words]: [string, HeaderWords]) => {
      const { description, required, type = 'string' } = words;
      return [name, { description, required, schema: { type } }];
    }),
  );
}

export function refsTo(names: readonly HeaderName[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
