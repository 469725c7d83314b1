import type { Goal } from './goal.ts';
import { cpuPerRequest, ratiosOf, type RatioResult } from './ratios.ts';
import { LEG_NAMES, type LegName } from './legs.ts';
import type { Round } from './rounds.ts';
import { summarize, type Summary } from './statistics.ts';
import type { Counted } from './tally.ts';

/** The results of the rounds, by leg and as ratios. */
export interface RoundFigures {
  readonly ratios: readonly RatioResult[];
  readonly legs: Readonly<Record<LegName, LegFigures>>;
  /** Answer times at 100 requests a second on one connection, in milliseconds. */
  readonly unloadedMs: { readonly empty: Summary; readonly hot: Summary; readonly difference: Summary };
  readonly clicks: Counted;
}

interface LegFigures {
  readonly perSecond: Summary;
  readonly cpuMicroseconds: Summary;
  /** The share of a core that the load took. */
  readonly loadBusy: Summary;
}

export const UNLOADED_GOAL: Goal = { most: 0.3 };

export function figuresOf(rounds: readonly Round[], clicks: Counted): RoundFigures {
  const over = (of: (round: Round) => number) => summarize(rounds.map(of));
  const leg = (name: LegName): LegFigures => ({
    perSecond: over(({ legs }) => legs[name].perSecond),
    cpuMicroseconds: over(({ legs }) => cpuPerRequest(legs[name]) * 1e6),
    loadBusy: over(({ legs }) => legs[name].busy),
  });
  return {
    ratios: ratiosOf(rounds),
    legs: Object.fromEntries(LEG_NAMES.map((name) => [name, leg(name)])) as Record<LegName, LegFigures>,
    unloadedMs: {
      empty: over(({ unloadedMs }) => unloadedMs.empty),
      hot: over(({ unloadedMs }) => unloadedMs.hot),
      difference: over(({ unloadedMs }) => unloadedMs.hot - unloadedMs.empty),
    },
    clicks,
  };
}
