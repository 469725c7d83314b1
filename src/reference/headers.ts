import type { JsonSchema } from './schema.ts';

/** The headers of answers that say something to a program. */
export const HEADERS = {
  'X-Request-Id': { description: 'Names this request in the logs; a UUID that you send is kept', required: true },
  'WWW-Authenticate': { description: 'What credential is wanted (RFC 9110, section 11.6.1)', required: true },
  'Retry-After': { description: 'After how many seconds to try again', required: true, type: 'integer' },
  ETag: { description: 'Names this state, for If-Match or If-None-Match', required: true },
  'Cache-Control': { description: 'How long the answer may be kept', required: true },
  'Content-Disposition': { description: 'The name for a file', required: true },
  Location: { description: 'The target of the link, or where a link that was made is', required: true },
  'X-Robots-Tag': { description: 'noindex: search engines are to leave it out', required: true },
  Vary: { description: 'Accept: browsers are told by a page', required: true },
  Deprecation: { description: 'Since when the endpoint is deprecated (RFC 9745)', required: false },
  Sunset: {
    description: 'When the endpoint goes away, or takes no new tokens any more (RFC 8594); absent while no date is set',
    required: false,
  },
  Link: {
    description: 'The endpoint that succeeds this one, and the changelog, which tells of its end (RFC 8288)',
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
