import type { Service } from '../contestant.ts';
import { CROWD_HEADERS, decidingLinks, unlockedHeaders } from '../rule-links.ts';
import type { Goal } from '../goal.ts';
import { pathsOf, range, slugOf } from '../links.ts';
import type { Stream } from '../load.ts';
import { eachLinkSlowly, LINKS, manyPaths, redirects, repeat } from '../streams.ts';

interface KindStreams {
  readonly kind: Stream;
  /** The requests of one plain link that it is compared with, from the same visitors. */
  readonly plain: Stream;
  /** Sent once before all pairs, so that the links are in memory. */
  readonly first?: Stream;
  /** Sent before each measurement of the kind, so that they still are. */
  readonly fresh?: Stream;
}

export interface Kind extends Goal {
  readonly what: string;
  /** Settings that differ from wrangler.toml. */
  readonly vars?: Readonly<Record<string, string>>;
  readonly streams: (service: Pick<Service, 'secret'>, seconds: number) => KindStreams;
}

const { ruled, varied, locked } = decidingLinks(LINKS);

/** Kinds of redirects that are compared with those of one plain hot link. */
export const KINDS = {
  many_vs_hot_own: {
    what: '1,000 hot links at random, kept in memory: the CPU of the Worker itself',
    least: 0.9,
    vars: { MEMORY_SECONDS: '3600' },
    streams: () => ({
      kind: redirects(manyPaths()),
      plain: redirects(repeat(`/${slugOf(0)}`)),
      first: redirects(pathsOf(range(0, LINKS))),
    }),
  },
  many_vs_hot_read: {
    what: '1,000 hot links at random, 33 a second read again from KV and D1, which are local and in the same process',
    streams: (_, seconds) => ({
      kind: redirects(manyPaths()),
      plain: redirects(repeat(`/${slugOf(0)}`)),
      first: eachLinkSlowly(seconds),
      fresh: redirects(pathsOf(range(0, LINKS))),
    }),
  },
  ruled_vs_hot: {
    what: 'ten rules, of which the last holds; 1,000 user agents and languages',
    least: 0.8,
    streams: () => ({ kind: crowd(ruled), plain: crowd(0) }),
  },
  variant_vs_hot: {
    what: 'three variants; 1,000 addresses and user agents',
    least: 0.85,
    streams: () => ({ kind: crowd(varied), plain: crowd(0) }),
  },
  unlocked_vs_hot: {
    what: 'a password that was entered; 1,000 cookies',
    least: 0.8,
    streams: ({ secret }) => ({
      kind: { ...crowd(locked), visitorHeaders: unlockedHeaders(LINKS, secret) },
      plain: crowd(0),
    }),
  },
} satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

/** The requests for one link of visitors who all differ. */
function crowd(link: number): Stream {
  return { ...redirects(repeat(`/${slugOf(link)}`)), visitorHeaders: CROWD_HEADERS, visitors: CROWD_HEADERS.length };
}
