import { expect, vi } from 'vitest';
import type { Manager } from './manage.ts';
import { openIsolate } from './service.ts';

/** Visitors that a caller of the API makes up, and the same visitors at the short URL. */

/** The host that \`RULES\` lead to from Asia; a test blocks it. */
export const BLOCKED = 'blocked.example';

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

export type Fields = Readonly<Record<string, unknown>>;

/** A visitor as the API takes it. */
export interface Visit {
  readonly country?: string;
  readonly region?: string;
  readonly address?: string;
  readonly language?: string;
  readonly user_agent?: string;
  readonly referrer?: string;
  readonly query?: string;
  readonly path?: string;
  readonly at?: string;
}

interface Resolved {
  readonly status: number;
  readonly location: string | null;
  readonly reason: string;
  readonly takes_click: boolean;
  readonly destination: object;
  readonly rules: readonly object[];
  readonly visitor: object;
}

/** Sends a visitor to the short URL, through an isolate that remembers nothing. */
export async function visit(shortUrl: string, visitor: Visit): Promise<[status: number, location: string | null]> {
  const {
    country = visitor.region?.slice(0, 2),
    region,
    address,
    language,
    user_agent: agent,
    referrer,
    query = '',
    path = '',
    at,
  } = visitor;
  const headers = Object.entries({
    'CF-Connecting-IP': address,
    'Accept-Language': language,
    'User-Agent': agent,
    Referer: referrer,
  }).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  const behind = `${path === '' || path.startsWith('/') ? '' : '/'}${path}`;
  const search = query === '' || query.startsWith('?') ? query : `?${query}`;
  if (at !== undefined) vi.setSystemTime(at);
  const init = { headers, ...(country !== undefined && { cf: { country, regionCode: region?.slice(3) } }) };
  const { status, headers: answered } = await openIsolate()(`${shortUrl}${behind}${search}`, init);
  vi.useRealTimers();
  return [status, answered.get('Location')];
}

/** Resolves a visitor by the API. */
export const resolve = async ({ ask }: Manager, id: string, visitor: object): Promise<Resolved> => {
  const { status, body } = await ask<Resolved>('POST', `/v1/links/${id}/resolve`, visitor);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

export const RULES = [
  { name: 'texas', if: [{ type: 'region', in: ['US-TX'] }], url: 'https://example.com/texas' },
  {
    name: 'office',
    if: [{ type: 'address', in: ['198.51.100.0/24', '2001:db8:5::/48'] }],
    url: 'https://office.example/',
  },
  { name: 'phones', if: [{ type: 'os', in: ['iOS', 'Android'] }], url: 'https://phones.example/app' },
  {
    name: 'german',
    if: [
      { type: 'language', in: ['de'] },
      { type: 'country', in: ['CH'], not: true },
    ],
    url: 'https://example.com/de?own=1#part',
  },
  {
    name: 'news',
    if: [
      { type: 'referrer', in: ['news.example'] },
      { type: 'query', name: 'ref', in: ['a'] },
    ],
    url: 'https://example.com/news',
  },
  { name: 'later', if: [{ type: 'date', from: '2099-01-01T00:00:00Z' }], url: 'https://example.com/later' },
  { name: 'asia', if: [{ type: 'continent', in: ['AS'] }], url: 'https://blocked.example/' },
  { name: 'robots', if: [{ type: 'visitor', in: ['bot'] }], url: 'https://example.com/robots' },
];
export const VARIANTS = [
  { name: 'one', url: 'https://example.com/1', weight: 1 },
  { name: 'two', url: 'https://example.com/2', weight: 1 },
];
