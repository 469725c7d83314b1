import { countryOf } from '../../../text/countries.ts';
import type { Fields } from '../../../input/validation.ts';
import type { Schemes } from '../../../network/schemes.ts';
import { quote } from '../../../text/quote.ts';
import { REDIRECT_STATUSES } from '../../fields/visitor-fields.ts';
import { MAX_URL_CHARACTERS } from '../../destinations/web-url.ts';
import { withScheme } from '../../destinations/with-scheme.ts';
import { isWebUrl } from '../../destinations/web-url.ts';
import { UTM_NAMES, withUtm } from '../../destinations/utm.ts';
import type { DeviceRole, Format, Role } from './format.ts';
import { isObject, isYes, textOf } from './values.ts';

/** Where visitors of another service's link are redirected, and how, in the fields of this one. */

type Given = { readonly [Name in Role]?: unknown };

/** The fields of a row. What is not kept is in the notes. */
export function readVisitors(given: Given, { forwardsQuery }: Format, notes: string[], schemes?: Schemes): Fields {
  const rules = [...deviceRules(given, notes), ...countryRules(given.countries, notes)];
  const expired = webUrlIn(given.expired_url);
  if (expired === null) notes.push('Its address after the expiry is not kept, since it is not one of the web.');
  const status = readStatus(textOf(given.redirect_status), notes);
  const isForwarded =
    given.forward_query !== undefined
      ? isYes(given.forward_query)
      : given.drop_query !== undefined
        ? !isYes(given.drop_query)
        : forwardsQuery === true;
  return {
    url: urlWithUtm(given, notes, schemes),
    ...(rules.length > 0 && { rules }),
    ...(expired && { expired_url: expired }),
    ...(status !== null && { redirect_status: status }),
    ...(isForwarded && { forward_query: 'override' }),
  };
}

const LONGEST_UTM = 200;

// A parameter that the destination has already stays as it is, since services write them there too.
function urlWithUtm(given: Given, notes: string[], schemes?: Schemes): string {
  const url = withScheme(textOf(given.url), schemes);
  const named = UTM_NAMES.map((name) => [name, textOf(given[name])] as const).filter(([, value]) => value !== '');
  if (named.length === 0 || url.length > MAX_URL_CHARACTERS) return url;
  const present = URL.parse(url)?.searchParams;
  const missing = named.filter(([name]) => !present?.has(name));
  const whole = missing.every(([, value]) => value.length <= LONGEST_UTM)
    ? withUtm(url, Object.fromEntries(missing))
    : '';
  if (whole !== '' && whole.length <= MAX_URL_CHARACTERS) return whole;
  notes.push('Its UTM parameters are not kept, since they are too long.');
  return url;
}

interface FormerRule {
  readonly name: string;
  readonly if: readonly object[];
  readonly url: string;
}

/** Of a link. */
const MAX_RULES = 20;

const BY_DEVICE: readonly (readonly [role: DeviceRole, name: string, conditions: readonly object[]])[] = [
  [
    'ipad_url',
    'iPad',
    [
      { type: 'os', in: ['iOS'] },
      { type: 'device', in: ['tablet'] },
    ],
  ],
  ['ios_url', 'iOS', [{ type: 'os', in: ['iOS'] }]],
  ['android_url', 'Android', [{ type: 'os', in: ['Android'] }]],
  ['desktop_url', 'Desktop', [{ type: 'device', in: ['desktop'] }]],
];

function deviceRules(given: Given, notes: string[]): FormerRule[] {
  return BY_DEVICE.flatMap(([role, name, conditions]) => {
    const url = webUrlIn(given[role]);
    if (url === null) notes.push(`Its destination for ${name} is not kept, since it is not one of the web.`);
    return url ? [{ name, if: conditions, url }] : [];
  });
}

// One rule for all countries with the same destination.
function countryRules(given: unknown, notes: string[]): FormerRule[] {
  const entries = isObject(given) ? Object.entries(given) : [];
  const byUrl = new Map<string, string[]>();
  const seen = new Set<string>();
  let left = 0;
  for (const [text, value] of entries) {
    const [code, url] = [countryOf(text), webUrlIn(value)];
    if (url === undefined) continue;
    const codes = byUrl.get(url ?? '');
    const isLeft = code === null || seen.has(code) || url === null;
    if (isLeft || (!codes && byUrl.size === MAX_RULES - BY_DEVICE.length)) left += 1;
    else byUrl.set(url, [...(codes ?? []), code]);
    if (code !== null) seen.add(code);
  }
  if (left > 0) notes.push(`The destinations of ${left} ${left === 1 ? 'country' : 'countries'} are not kept.`);
  return [...byUrl].map(([url, codes]) => ({
    name: codes.slice(0, 3).join(', ') + (codes.length > 3 ? ' …' : ''),
    if: [{ type: 'country', in: codes }],
    url,
  }));
}

/** A URL in the form of the service; undefined if there is none, null if it is not one of the web. */
function webUrlIn(value: unknown): string | null | undefined {
  const text = withScheme(textOf(value));
  if (text === '') return undefined;
  const url = text.length > MAX_URL_CHARACTERS ? null : URL.parse(text);
  return url !== null && isWebUrl(url.href) && url.username === '' && url.password === '' ? url.href : null;
}

function readStatus(text: string, notes: string[]): number | null {
  const status = REDIRECT_STATUSES.find((it) => String(it) === text);
  if (text !== '' && status === undefined) notes.push(`Its kind of redirect, ${quote(text)}, is not kept.`);
  return status === undefined || status === REDIRECT_STATUSES[0] ? null : status;
}
