import type { Child } from 'hono/jsx';
import { isolated } from '../bidi.ts';
import type { PageWords } from '../words.tsx';
import type { GraphName } from './graphs.ts';
import type { PinEvent } from './pins.ts';
import type { Fact, Span } from './said.ts';

/** The sentences of a chart. */

const BEST = { hour: 'clicks.bestHour', day: 'clicks.bestDay', week: 'clicks.bestWeek' } as const;

/** The sentence of a fact about a graph. */
export function sentenceOf({ text }: PageWords, fact: Fact, graph: GraphName): string {
  switch (fact.kind) {
    case 'more':
    case 'fewer':
      return text(`clicks.${fact.kind}`, { graph, percent: fact.percent, ...beforeOf(fact) });
    case 'times':
      return text('clicks.timesAsMany', { graph, times: fact.times, ...beforeOf(fact) });
    case 'same':
      return text('clicks.aboutAsMany', { graph, ...beforeOf(fact) });
    case 'none before':
      return text('clicks.noneBefore', { graph, ...beforeOf(fact) });
    case 'none now':
      return text('clicks.noneNow', { graph, before: fact.before, ...beforeOf(fact) });
    case 'best': {
      const { count, name, after } = fact;
      if (after === null) return text(BEST[fact.unit], { graph, count, name });
      const key = after.isNextDay ? 'clicks.bestDayAfter' : 'clicks.bestDayOf';
      return text(key, { graph, count, name, ...eventOf(after.pin.events[0]!) });
    }
    default:
      return text('clicks.since', { percent: fact.percent, name: fact.name, ...eventOf(fact.pin.events[0]!) });
  }
}

/** The names of the spans in the texts of the dictionary. */
const SPANS: Readonly<Record<Span, string>> = { whole: 'whole', 'same hour': 'hour', 'without today': 'today' };

const beforeOf = ({ days, span }: { readonly days: number; readonly span: Span }) => ({ days, span: SPANS[span] });

/** An event, as the texts with a clause such as "the destination changed" take it. */
const eventOf = ({ kind, name }: PinEvent) => ({ event: kind, campaign: isolated(name ?? '') });

const TITLES = {
  destination: 'clicks.destinationChanged',
  created: 'clicks.created',
  imported: 'clicks.imported',
  edited: 'clicks.edited',
} as const;

/** An event in a list, such as "Destination changed". */
export const titleOfEvent = ({ text, content }: PageWords, { kind, name }: PinEvent): Child =>
  kind === 'campaign' ? content('clicks.campaignBegan', { name: name ?? '' }) : text(TITLES[kind]);
