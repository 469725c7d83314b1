import { OTHER_WORD, VIA_WORDS } from '../statistics/facts.ts';

/** The source of a visit, as its query says: it is what brought the visitor. */
export interface Source {
  /** `qr`, `link`, or the source that the visit names. */
  readonly via: string;
  readonly utmMedium: string | null;
  readonly utmCampaign: string | null;
}

const [LINK, QR] = VIA_WORDS;

/** The source of every visit that names nothing. */
export const PLAIN_SOURCE: Source = { via: LINK, utmMedium: null, utmCampaign: null };

/** The parameter that QR codes have, exactly so. Only statistics see it: no rule, no destination. */
const QR_MARKER = 'via=qr';

/** The short URL as QR codes have it. */
export const markedUrl = (shortUrl: string): string => `${shortUrl}?${QR_MARKER}`;

/** A query, with or without its `?`, without the parameter of QR codes. */
export function withoutMarker(search: string): string {
  if (!search.includes(QR_MARKER)) return search;
  const mark = search.startsWith('?') ? '?' : '';
  const parts = search.slice(mark.length).split('&');
  const others = parts.filter((part) => part !== QR_MARKER);
  if (others.length === parts.length) return search;
  return others.length === 0 ? '' : mark + others.join('&');
}

// A longer query names nothing.
const MAX_SEARCH = 8192;

/** @param search the query of the visit, with its `?`; '' without one */
export function sourceOf(search: string): Source {
  if (search === '' || search.length > MAX_SEARCH) return PLAIN_SOURCE;
  const query = new URLSearchParams(search);
  const via = withoutMarker(search) === search ? wordIn(query, 'utm_source', OURS.via) : QR;
  const source = {
    via: via ?? wordIn(query, 'ref', OURS.via) ?? LINK,
    utmMedium: wordIn(query, 'utm_medium', OURS.utm),
    utmCampaign: wordIn(query, 'utm_campaign', OURS.utm),
  };
  return isPlain(source) ? PLAIN_SOURCE : source;
}

const isPlain = ({ via, utmMedium, utmCampaign }: Source): boolean =>
  via === LINK && utmMedium === null && utmCampaign === null;

// What a visitor writes must not count as what the service itself says. `null` is what filters call the unknown.
const OURS = {
  via: new Set<string>([...VIA_WORDS, OTHER_WORD, 'null']),
  utm: new Set<string>([OTHER_WORD, 'null']),
} as const;

/** The most characters of a word. */
const MAX_WORD = 64;

/** A word of a visit as it is counted; null if it is empty. */
export function sourceWord(text: string): string | null {
  const cut = text
    .slice(0, 4 * MAX_WORD)
    .toWellFormed()
    .normalize()
    .toLowerCase();
  const spaced = cut.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return Array.from(spaced).slice(0, MAX_WORD).join('').trim() || null;
}

function wordIn(query: URLSearchParams, name: string, ours: ReadonlySet<string>): string | null {
  const text = query.get(name);
  const word = text === null ? null : sourceWord(text);
  return word !== null && ours.has(word) ? OTHER_WORD : word;
}
