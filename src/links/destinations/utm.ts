import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { textUpTo } from '../../input/schemas.ts';
import { isOfWeb } from '../../network/schemes.ts';
import { MAX_URL_CHARACTERS } from './web-url.ts';

/** The parameters by which analytics find the source of a visit, in their usual order. */
export const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
export type UtmName = (typeof UTM_NAMES)[number];

const value = lazy(() => textUpTo(200).optional());

export const utmFields = lazy(() =>
  z.strictObject({
    utm_source: value(),
    utm_medium: value(),
    utm_campaign: value(),
    utm_term: value(),
    utm_content: value(),
  }),
);

export type Utm = z.output<ReturnType<typeof utmFields>>;

/**
 * Puts parameters into a target, in place of those with the same name; the rest stays unchanged. A text that is too long or
 * not a URL stays unchanged too, and is refused elsewhere; so does one of another scheme than http and https.
 */
export function withUtm(url: string, utm: Utm): string {
  const given = UTM_NAMES.flatMap((name) => (utm[name] === undefined ? [] : [[name, utm[name]] as const]));
  if (given.length === 0 || url.length > MAX_URL_CHARACTERS || !URL.canParse(url) || !isOfWeb(new URL(url))) return url;
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const replaced = new Set<string>(given.map(([name]) => name));
  const kept = query.split('&').filter((pair) => pair !== '' && !replaced.has(nameOf(pair)));
  const added = given.map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return `${base}?${[...kept, ...added].join('&')}${fragment}`;
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? '';
}
