import { isolated } from '../bidi.ts';
import { formatCount } from '../kit/numbers.ts';
import type { GraphName } from './graphs.ts';
import type { PinEvent } from './pins.ts';
import type { Fact, Span } from './said.ts';

/** The sentences of a chart in English. Another language has a file like this one, which composes its own sentences. */

const NOUNS: Readonly<Record<GraphName, string>> = {
  visitors: 'daily visitors',
  visits: 'visits',
  qr: 'QR scans',
  previews: 'link previews',
  bots: 'visits by bots',
};

/** The sentence of a fact about a graph. */
export function sentenceOf(fact: Fact, graph: GraphName): string {
  const noun = NOUNS[graph];
  switch (fact.kind) {
    case 'more':
      return `${fact.percent}% more ${noun} than in ${beforeOf(fact)}.`;
    case 'fewer':
      return `${fact.percent}% fewer ${noun} than in ${beforeOf(fact)}.`;
    case 'times':
      return `${formatTimes(fact.times)} times as many ${noun} as in ${beforeOf(fact)}.`;
    case 'same':
      return `About as many ${noun} as in ${beforeOf(fact)}.`;
    case 'none before':
      return `There were no ${noun} in ${beforeOf(fact)}.`;
    case 'none now':
      return `No ${noun}, and ${formatCount(fact.before)} in ${beforeOf(fact)}.`;
    case 'best': {
      const when =
        fact.unit === 'hour' ? `at ${fact.name}` : fact.unit === 'week' ? `from ${fact.name}` : `on ${fact.name}`;
      const best = `${formatCount(fact.count)} ${noun} ${when}`;
      if (fact.after === null) return `${best}, the most of any ${fact.unit}.`;
      const { pin, isNextDay } = fact.after;
      return `${best}, the day ${isNextDay ? 'after' : 'on which'} ${eventOf(pin.events[0]!)}.`;
    }
    default:
      return `${fact.percent}% of all came since ${fact.name}, when ${eventOf(fact.pin.events[0]!)}.`;
  }
}

const SPANS: Readonly<Record<Span, string>> = {
  whole: '',
  'same hour': ', up to the same hour',
  'without today': ', without today',
};

const beforeOf = ({ days, span }: { readonly days: number; readonly span: Span }): string =>
  `the ${days === 1 ? 'day' : `${days} days`} before${SPANS[span]}`;

const formatTimes = (times: number): string => (times < 10 ? String(times) : formatCount(times));

/** An event as a clause, such as "the destination changed". */
function eventOf({ kind, name }: PinEvent): string {
  switch (kind) {
    case 'campaign':
      return `the campaign “${isolated(name ?? '')}” began`;
    case 'destination':
      return 'the destination changed';
    case 'created':
      return 'the link was created';
    case 'imported':
      return 'links were imported';
    default:
      return 'the link was changed';
  }
}

const TITLES: Readonly<Record<PinEvent['kind'], string>> = {
  campaign: 'Campaign began',
  destination: 'Destination changed',
  created: 'Created',
  imported: 'Links imported',
  edited: 'Changed',
};

/** An event in a list, such as "Destination changed". */
export const titleOfEvent = ({ kind }: PinEvent): string => TITLES[kind];
