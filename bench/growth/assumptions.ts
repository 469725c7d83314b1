import { PRICES } from '../prices.ts';

/**
 * The premises of the simulation of growth: the platform's limits and prices, what was measured, and what is assumed.
 */

/** Of the paid plan. */
export const LIMITS = {
  /** https://developers.cloudflare.com/queues/platform/limits/ */
  queueMessagesPerSecond: 5000,
  /**
   * Not documented as a number; the limit of requests is 1,000 a second.
   * https://developers.cloudflare.com/durable-objects/reference/faq/
   */
  objectWritesPerSecond: 500,
  /** https://developers.cloudflare.com/durable-objects/platform/limits/ */
  objectBytes: 10e9,
  /** https://developers.cloudflare.com/d1/platform/limits/ */
  databaseBytes: 10e9,
  /**
   * For the databases of an account; Cloudflare raises it on request. https://developers.cloudflare.com/d1/platform/limits/
   */
  accountDatabaseBytes: 1e12,
  /** One at a time, of 1 ms each. https://developers.cloudflare.com/d1/platform/limits/ */
  databaseQueriesPerSecond: 1000,
  /** For one key; there is no limit for all of them. https://developers.cloudflare.com/kv/platform/limits/ */
  kvWritesOfKeyPerSecond: 1,
  /**
   * Of all zones of an account that pays by use; more by contract.
   * https://developers.cloudflare.com/cloudflare-for-platforms/cloudflare-for-saas/plans/
   */
  customHostnames: 50_000,
} as const;

/** List prices in US dollars: of a million of each, and of a gigabyte or a hostname for a month. */
export const GROWTH_PRICES = {
  ...PRICES,
  /** https://developers.cloudflare.com/durable-objects/platform/pricing/ */
  objectRequest: 0.15,
  /** https://developers.cloudflare.com/durable-objects/platform/pricing/ */
  objectRowWritten: 1,
  /** https://developers.cloudflare.com/durable-objects/platform/pricing/ */
  objectGigabyte: 0.2,
  /** https://developers.cloudflare.com/d1/platform/pricing/ */
  databaseGigabyte: 0.75,
  /**
   * One, for a month; a hundred are included.
   * https://developers.cloudflare.com/cloudflare-for-platforms/cloudflare-for-saas/plans/
   */
  customHostname: 0.1,
} as const;

/** Figures of docs/performance.md and docs/decisions/statistics-objects.md, and of the code. */
export const MEASURED = {
  /** Queries of D1 that a create sends, and the rows that it writes. */
  queriesPerCreate: 4,
  rowsPerCreate: 6,
  /** A redirect that D1 answers: the check for a restore, and the look-up. */
  queriesPerColdRedirect: 2,
  /** Which packs D1 has counted itself, and whether the former days of one client are copied. */
  queriesPerConsumer: 4,
  /** Of one object, a second: with more its clicks take the queue (`src/statistics/append/direct.ts`). */
  directAppends: 0.5,
  /** Clicks that an object takes in a second of CPU, with folds. */
  objectClicksPerSecond: 33_000,
  /** Clicks in the object of their client, each: until its facts are removed, and afterwards. */
  clickBytes: 28,
  oldClickBytes: 5,
  /** Facts are kept for 90 to 122 days. */
  factDays: 106,
  /**
   * A fold touches 20,000 facts in a transaction, and counts 100 for each link besides the clicks:
   * `src/statistics/days/fold-deliveries.ts`.
   */
  linksPerFoldedSlice: 198,
  /** Rows that an object writes for a click, if each is of another link: the day, the sums, the marks. */
  objectRowsPerClick: 3.3,
  /** Of a queue: write, read and delete. */
  operationsPerMessage: 3,
  /** A click in a message, if no other has the same link or visitor. */
  messageBytesPerClick: 120,
  /** `src/clicks/messages.ts` */
  messageBytes: 100_000,
  /** The time that KV keeps an entry, and how often an isolate compares one with D1: `src/links/redirect/`. */
  kvSeconds: 24 * 3600,
  checkSeconds: 60,
  checksGatheredSeconds: 0.25,
  /** The addresses for which an isolate knows that it has read them from D1: `src/isolate/recently-seen.ts`. */
  missesRemembered: 20_000,
  /** A Worker has so many connections at a time. */
  connections: 6,
} as const;

/** The values that nothing here can measure. Each has a flag of the command, and its bounds are `least` and `most`. */
export const ASSUMPTIONS = {
  zipf: { preset: 1, least: 0, most: 3, what: 'exponent of the Zipf distribution of clients, and of links, by clicks' },
  links: { preset: 100, least: 1, most: 1e6, what: 'links of a client, on average' },
  clicks: { preset: 1, least: 0.001, most: 1e4, what: 'clicks of a link in a day, on average' },
  creates: { preset: 1, least: 0, most: 1e4, what: 'links that a client creates in a day, on average' },
  reads: { preset: 2, least: 0, most: 1e4, what: 'pages and lists that a client requests in a day, on average' },
  'queries-per-read': { preset: 3, least: 1, most: 100, what: 'queries of D1 for one of them' },
  domains: { preset: 0.1, least: 0, most: 1000, what: 'custom domains of a client, on average' },
  edited: { preset: 0.1, least: 0, most: 10, what: 'edits of a link in its life, on average' },
  years: { preset: 1, least: 1, most: 20, what: 'years of clicks in the object of a client' },
  peak: { preset: 5, least: 1, most: 100, what: 'the busiest second over the average one' },
  locations: {
    preset: 330,
    least: 1,
    most: 1e4,
    what: 'data centres with equally many clicks: the worst case for packs',
  },
  'isolate-clicks': {
    preset: 50,
    least: 1,
    most: 1e5,
    what: 'clicks a second of an isolate, before there is one more',
  },
  copies: { preset: 6, least: 1, most: 100, what: 'copies of D1 that share cold redirects; 1: no replicas' },
  'call-ms': { preset: 30, least: 1, most: 1000, what: 'ms that a consumer waits for D1 or for an object' },
  'awake-seconds': { preset: 10, least: 1, most: 1000, what: 'seconds that an object stays awake after a call' },
} as const;

export type Assumption = keyof typeof ASSUMPTIONS;
export type Assumptions = Readonly<Record<Assumption, number>>;

export const ASSUMPTION_NAMES = Object.keys(ASSUMPTIONS) as Assumption[];

export const PRESETS = Object.fromEntries(
  ASSUMPTION_NAMES.map((name) => [name, ASSUMPTIONS[name].preset]),
) as Assumptions;

/** The numbers of clients with a column in the table. */
export const SIZES = [1e3, 1e4, 1e5, 1e6, 1e7] as const;
