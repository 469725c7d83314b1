import type { Service } from '../contestant.ts';
import type { Goal } from '../goal.ts';
import type { Stream } from '../load.ts';
import { linkForm, unknownSlug } from '../requests.ts';
import { CONNECTIONS, redirects, repeat } from '../streams.ts';
import { CLIENT_ID, slugOf } from '../links.ts';

/** The requests other than redirects, each with the floor that it stands over. */

export const FLOORS = ['kv-select', 'links-insert', 'd1-insert', 'hono', 'page'] as const;
export type Floor = (typeof FLOORS)[number];

/** A service whose user is signed in. */
export interface Visited extends Service {
  readonly cookie: string;
}

/** The streams of requests to the service and to the floor, created anew for each pair. */
type Streams = readonly [service: Stream, floor: Stream];

export interface Request extends Goal {
  readonly what: string;
  /** The CPU of the requests over that of the floor, or the requests for the CPU that the floor needs. */
  readonly ratio: 'cpu' | 'requests';
  readonly floor: Floor;
  /** @param seconds how long they last */
  readonly streams: (service: Visited, seconds: number) => Promise<Streams>;
}

// More than any machine can answer on one core.
const MAX_UNKNOWN_PER_SECOND = 5000;
// So that each connection has some pages also in a short leg.
const PAGE_CONNECTIONS = 4;
const OF_CLIENT = `/platform/c/${CLIENT_ID}`;

export const REQUESTS = {
  unknown: {
    what: 'unknown slug over one KV.get and one SELECT in Hono, CPU',
    ratio: 'cpu',
    most: 1.3,
    floor: 'kv-select',
    streams: async (_, seconds) => {
      const slugs = Array.from({ length: MAX_UNKNOWN_PER_SECOND * (seconds + 2) }, () => `/${unknownSlug()}`);
      const stream = { ...redirects(slugs), status: 404 };
      return [stream, stream];
    },
  },
  create: {
    what: 'POST /v1/links over one INSERT in Hono, with the columns and indexes of a link, requests for its CPU',
    ratio: 'requests',
    least: 0.8,
    floor: 'links-insert',
    streams: creates,
  },
  create_bare: {
    what: 'POST /v1/links over one INSERT in Hono, of five columns without an index, requests for its CPU',
    ratio: 'requests',
    floor: 'd1-insert',
    streams: creates,
  },
  token_info: {
    what: 'GET /tokens/token_info over a fixed response of Hono, requests for its CPU',
    ratio: 'requests',
    least: 0.6,
    floor: 'hono',
    streams: async ({ accessToken }) => [
      { ...redirects(repeat('/tokens/token_info')), headers: { Authorization: `Bearer ${accessToken}` }, status: 200 },
      redirects(repeat(`/${slugOf(0)}`)),
    ],
  },
  list: {
    what: 'page of 50 links over an empty page of Hono of the same bytes, CPU',
    ratio: 'cpu',
    most: 6,
    floor: 'page',
    streams: pageOf(`${OF_CLIENT}/links`),
  },
  overview: {
    what: 'overview of 30 days over an empty page of Hono of the same bytes, CPU',
    ratio: 'cpu',
    most: 6,
    floor: 'page',
    streams: pageOf(OF_CLIENT),
  },
} as const satisfies Readonly<Record<string, Request>>;

export type RequestName = keyof typeof REQUESTS;
/** The pages before the creates, which give them more links. */
export const REQUEST_NAMES: readonly RequestName[] = [
  'list',
  'overview',
  'unknown',
  'token_info',
  'create',
  'create_bare',
];

async function creates({ apiKey }: Visited): Promise<Streams> {
  const form = linkForm({ url: 'https://example.com/a/page', client_id: CLIENT_ID, campaign_name: 'spring' });
  const stream: Stream = {
    ...form,
    method: 'POST',
    paths: repeat('/v1/links'),
    headers: { ...form.headers, 'X-API-Key': apiKey },
    connections: CONNECTIONS,
    status: 200,
  };
  return [stream, stream];
}

function pageOf(path: string): Request['streams'] {
  return async ({ origin, cookie }) => {
    const headers = { Cookie: cookie };
    const page = await fetch(`${origin}${path}`, { headers, redirect: 'manual' });
    const bytes = (await page.arrayBuffer()).byteLength;
    const stream = { ...redirects(repeat(path)), headers, connections: PAGE_CONNECTIONS, status: 200 };
    return [stream, { ...stream, paths: repeat(`/${bytes}`) }];
  };
}
