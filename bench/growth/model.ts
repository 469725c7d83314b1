import { GROWTH_PRICES, LIMITS, MEASURED, type Assumptions } from './assumptions.ts';
import type { Bytes } from './bytes.ts';
import { clickFiguresOf, objectBytesOf, type ClickFigures } from './clicks.ts';
import { SHIPPED, type Shipped } from './shipped.ts';
import { tierFiguresOf, type TierFigures } from './tiers.ts';
import { ranksOf } from './zipf.ts';

/** The load of a number of clients. What is a second is that of the busiest one. */
export interface Figures extends ClickFigures, TierFigures {
  readonly clients: number;
  readonly links: number;
  /** The custom domains of all clients, each a custom hostname of Cloudflare for SaaS. */
  readonly customHostnames: number;
  readonly clicksPerDay: number;
  readonly clicks: number;
  /** Of all links, addresses, histories and accounts. */
  readonly databaseBytes: number;
  /** Of the links of the client with most clicks, which has the same share of them. */
  readonly clientBytes: number;
  /** A second, of the primary. */
  readonly queries: Queries;
  /** Creates, pages and lists, a second: each reads the grants of its caller. */
  readonly authorised: number;
  /** Of all entries in KV. */
  readonly kvBytes: number;
  /** Of the client with most clicks. */
  readonly objectBytes: number;
  /** Databases that are at most half full and half busy. */
  readonly databases: number;
  readonly dollarsPerMonth: number;
}

interface Queries {
  readonly creates: number;
  readonly cold: number;
  readonly checks: number;
  /** Of the consumers of clicks. */
  readonly consumers: number;
  /** Of pages and lists. */
  readonly reads: number;
  /** True if a restore is under way. */
  readonly watch: number;
  readonly all: number;
}

const DAY_SECONDS = 24 * 3600;
const MONTH_DAYS = 30;

/** The figures for some clients. They are the same in each run, and grow with the clients. */
export function figuresOf(
  clients: number,
  bytes: Bytes,
  assumptions: Assumptions,
  shipped: Shipped = SHIPPED,
): Figures {
  const links = clients * assumptions.links;
  const clicksPerDay = links * assumptions.clicks;
  const peakOf = (day: number) => (day / DAY_SECONDS) * assumptions.peak;
  const clicks = peakOf(clicksPerDay);
  const byClicks = clickFiguresOf(clicks, ranksOf(clients, assumptions.zipf), assumptions, shipped);
  const tiers = tierFiguresOf(clicks, ranksOf(links, assumptions.zipf), byClicks.isolates, shipped);
  const [creates, reads] = [peakOf(clients * assumptions.creates), peakOf(clients * assumptions.reads)];
  // Each isolate asks in a trip that it makes anyway.
  const trips = creates + reads + tiers.checks + byClicks.consumers;
  const queries = withAll({
    creates: creates * MEASURED.queriesPerCreate,
    cold: (tiers.cold * MEASURED.queriesPerColdRedirect) / assumptions.copies,
    checks: tiers.checks,
    consumers: byClicks.consumers * MEASURED.queriesPerConsumer,
    reads: reads * assumptions['queries-per-read'],
    watch: Math.min(trips, byClicks.isolates / shipped.restoreCheckSeconds),
  });
  const databaseBytes = links * (bytes.link + assumptions.edited * bytes.edit) + clients * bytes.client;
  const figures = {
    ...byClicks,
    ...tiers,
    clients,
    links,
    customHostnames: clients * assumptions.domains,
    clicksPerDay,
    clicks,
    databaseBytes,
    clientBytes: databaseBytes * byClicks.busiest.share,
    queries,
    authorised: creates + reads,
    kvBytes: tiers.kvWrites * MEASURED.kvSeconds * bytes.kvEntry,
    objectBytes: objectBytesOf(clicksPerDay * byClicks.busiest.share, assumptions.years),
    databases: Math.ceil(
      2 * Math.max(databaseBytes / LIMITS.databaseBytes, queries.all / LIMITS.databaseQueriesPerSecond),
    ),
  };
  return { ...figures, dollarsPerMonth: dollarsOf(figures, assumptions) };
}

function withAll(queries: Omit<Queries, 'all'>): Queries {
  return { ...queries, all: Object.values(queries).reduce((sum, perSecond) => sum + perSecond, 0) };
}

/** At list prices, without the included amounts, CPU, and rows read: for an average day, thirty times. */
function dollarsOf(figures: Omit<Figures, 'dollarsPerMonth'>, { peak, creates, years }: Assumptions): number {
  const { clients, customHostnames, clicksPerDay, databaseBytes, kvReads, kvWrites } = figures;
  const { messages, consumers, appends } = figures;
  // The average second has less load, and so smaller packs, than the busiest one: this takes both alike.
  const perDay = (perSecond: number) => (perSecond / peak) * DAY_SECONDS;
  const millions =
    GROWTH_PRICES.request * (clicksPerDay + perDay(consumers)) +
    GROWTH_PRICES.kvRead * perDay(kvReads) +
    GROWTH_PRICES.kvWrite * perDay(kvWrites) +
    GROWTH_PRICES.queueOperation * MEASURED.operationsPerMessage * perDay(messages) +
    GROWTH_PRICES.rowWritten * MEASURED.rowsPerCreate * clients * creates +
    GROWTH_PRICES.objectRequest * perDay(appends) +
    GROWTH_PRICES.objectRowWritten * MEASURED.objectRowsPerClick * clicksPerDay;
  const gigabytes =
    GROWTH_PRICES.databaseGigabyte * databaseBytes + GROWTH_PRICES.objectGigabyte * objectBytesOf(clicksPerDay, years);
  return (millions / 1e6) * MONTH_DAYS + gigabytes / 1e9 + GROWTH_PRICES.customHostname * customHostnames;
}
