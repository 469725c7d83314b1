import type { Goal } from '../goal.ts';
import { CLIENT_ID, slugOf } from '../links.ts';
import { linkForm, visitorHeaders } from '../requests.ts';

/** The first requests of an isolate, each with the goal of its CPU over that of the earlier commit. */

/** The credentials that a seeded service has given to its user. */
export interface Credentials {
  readonly apiKey: string;
  /** The cookie of a session. */
  readonly cookie: string;
}

interface Asked {
  readonly path: string;
  readonly init?: RequestInit;
}

export interface Surface extends Goal {
  readonly what: string;
  readonly status: number;
  /** @param turn 0 for the first request of an isolate, 1 for the second */
  ask(credentials: Credentials, turn: number): Asked;
}

const pageOf =
  (path: string): Surface['ask'] =>
  ({ cookie }) => ({ path, init: { headers: { Cookie: cookie } } });

const OF_CLIENT = `/platform/c/${CLIENT_ID}`;

export const SURFACES = {
  redirect: {
    what: 'redirect, not in memory',
    status: 302,
    most: 0.3,
    // Each of another link, since the second redirect of one needs no store.
    ask: (_, turn) => ({ path: `/${slugOf(turn)}`, init: { headers: visitorHeaders(turn) } }),
  },
  health: { what: 'GET /health', status: 200, most: 0.3, ask: () => ({ path: '/health' }) },
  create: {
    what: 'POST /v1/links with a key',
    status: 200,
    most: 0.5,
    ask: ({ apiKey }) => {
      const { headers, body } = linkForm({ client_id: CLIENT_ID, sec_id: 'first', url: 'https://example.com/a/page' });
      return { path: '/v1/links', init: { method: 'POST', headers: { ...headers, 'X-API-Key': apiKey }, body } };
    },
  },
  link: { what: 'page of a link', status: 200, most: 0.5, ask: pageOf(`${OF_CLIENT}/links/${slugOf(0)}`) },
  overview: { what: 'overview', status: 200, most: 0.5, ask: pageOf(OF_CLIENT) },
  list: { what: 'list of links', status: 200, most: 0.5, ask: pageOf(`${OF_CLIENT}/links`) },
  'sign-in': { what: 'form to sign in', status: 200, most: 0.4, ask: () => ({ path: '/platform/sign-in' }) },
} as const satisfies Readonly<Record<string, Surface>>;

export type SurfaceName = keyof typeof SURFACES;
export const SURFACE_NAMES = Object.keys(SURFACES) as SurfaceName[];
