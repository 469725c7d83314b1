import type { Goal } from './goal.ts';
import type { LegName } from './legs.ts';
import type { LegResult, Round } from './rounds.ts';
import { summarize, type Summary } from './statistics.ts';

type Legs = Readonly<Record<LegName, LegResult>>;

interface Ratio extends Goal {
  readonly what: string;
  readonly of: (legs: Legs) => number;
}

/**
 * The ratios of Terse to its floors. Each is taken within a round, whose legs run within a minute or two of each other;
 * the result is the median of the rounds.
 */
const RATIOS = {
  hot_vs_empty: {
    what: 'redirect of a hot link over the empty Worker, requests/s',
    least: 0.6,
    of: ({ hot, empty }) => hot.perSecond / empty.perSecond,
  },
  hot_cpu_vs_empty: {
    what: 'the same in CPU a request',
    most: 1.6,
    of: ({ hot, empty }) => cpuPerRequest(hot) / cpuPerRequest(empty),
  },
  many_vs_hot: {
    what: '1,000 hot links at random over one, requests/s, with the local queue, consumer and objects on the same core',
    of: ({ many, hot }) => many.perSecond / hot.perSecond,
  },
  many_vs_hot_crowded: {
    what: 'many_vs_hot with a thousand visitors on each link',
    of: ({ many_crowd: many, hot_crowd: hot }) => many.perSecond / hot.perSecond,
  },
  kv_vs_kv_floor: {
    what: 'redirect with every look-up to KV over one KV.get in Hono, requests/s',
    least: 0.9,
    of: ({ kv, kv_floor }) => kv.perSecond / kv_floor.perSecond,
  },
  create_vs_insert_floor: {
    what: 'POST /v1/links over one D1 INSERT in Hono, requests/s',
    least: 0.6,
    of: ({ create, insert_floor }) => create.perSecond / insert_floor.perSecond,
  },
  token_info_vs_hono: {
    what: 'GET /tokens/token_info, with a token seen before, over a fixed response of Hono, requests/s',
    least: 0.35,
    of: ({ token_info, hono }) => token_info.perSecond / hono.perSecond,
  },
  hot_under_flood: {
    what: 'hot redirects beside a flood of unknown slugs, for the CPU they are left',
    least: 0.9,
    of: ({ hot, flood, hot_and_flood: both }) => {
      const [hotServed, floodServed = 0] = both.answered;
      return cpuPerRequest(hot) / ((both.cpuSeconds - floodServed * cpuPerRequest(flood)) / hotServed);
    },
  },
} satisfies Readonly<Record<string, Ratio>>;

type RatioName = keyof typeof RATIOS;
export const RATIO_NAMES = Object.keys(RATIOS) as readonly RatioName[];

/** The formula of `hot_under_flood`, for readers of the table. */
export const FLOOD_NOTE =
  'hot_under_flood = c_hot / ((CPU of the leg - n_flood * c_flood) / n_hot); c_*: CPU a request, measured alone';

export interface RatioResult extends Goal {
  readonly name: RatioName;
  readonly what: string;
  readonly value: Summary;
}

export function ratiosOf(rounds: readonly Round[]): RatioResult[] {
  return RATIO_NAMES.map((name) => {
    const { of, ...rest }: Ratio = RATIOS[name];
    return { name, ...rest, value: summarize(rounds.map(({ legs }) => of(legs))) };
  });
}

/** CPU time of the contestant's processes for each request, in seconds. */
export function cpuPerRequest({ cpuSeconds, answered: served }: LegResult): number {
  return cpuSeconds / served.reduce((sum, count) => sum + count, 0);
}
