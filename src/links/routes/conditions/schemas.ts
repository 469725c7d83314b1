import * as z from 'zod';
import { BROWSERS, SYSTEMS } from '../../../clicks/visitor-names.ts';
import { fault } from '../../../input/validation.ts';
import { instant, textUpTo } from '../../../input/schemas.ts';
import { lazy } from '../../../isolate/lazy.ts';
import { parseDomainName } from '../../../network/hosts.ts';
import { findNetwork } from '../../../network/networks.ts';
import { CONTINENTS, countryOf } from '../../../text/countries.ts';
import { TextMemo } from '../../../text/text-memo.ts';
import { toInstant } from '../../../time/instant.ts';
import { isTimeZone } from '../../../time/time-zone.ts';
import { listOf } from '../list.ts';
import { DAYS } from './hours.ts';
import { findIn, knownValue, valuesOf } from './known-value.ts';
import { findRange } from './language-range.ts';
import { findRegion } from './region-code.ts';
import { conditionTypes, type Condition, type ConditionOf } from './table.ts';
import { KINDS } from './visitor.ts';

/** The schemas of conditions by their types; no visit needs them. */

/** The schema of `not`: absent, or true. */
const not = () =>
  z
    .literal(true, { error: 'must be true, or left out' })
    .optional()
    .meta({ description: 'true if the condition holds for all other visitors' });

const typeName = <const Type extends string>(type: Type) =>
  z.literal(type).meta({ description: 'The type of the condition' });

/** A condition that one fact of the visitor has one of some values. */
const listSchema = <const Type extends string>(type: Type, description: string, value: () => z.ZodType<string>) =>
  lazy(() => z.strictObject({ type: typeName(type), in: valuesOf(value(), description), not: not() }));

const DEVICES = ['mobile', 'tablet', 'desktop'];

const MAX_NAME = 100;
const MAX_VALUE = 500;

const query = lazy(() =>
  z.strictObject({
    type: typeName('query'),
    name: textUpTo(MAX_NAME)
      .min(1, 'must not be empty')
      .meta({ description: "The name of a parameter in the query of the visitor's URL" }),
    in: valuesOf(
      textUpTo(MAX_VALUE),
      'Values of the parameter, one of which it has; left out if it may have any value',
    ).optional(),
    not: not(),
  }),
);

const within = () =>
  instant()
    .refine((at) => at >= 0, { error: 'must be 1970 or later', abort: true })
    .transform((at): string => toInstant(at));

const date = lazy(() =>
  z
    .strictObject({
      type: typeName('date'),
      from: within().optional().meta({ description: 'The first instant; left out if there is none' }),
      until: within().optional().meta({ description: 'The end, exclusive; left out if there is none' }),
      not: not(),
    })
    .refine(({ from, until }) => from !== undefined || until !== undefined, {
      error: 'is required if until is left out',
      path: ['from'],
      ...fault('missing_field'),
    })
    // Both are in UTC with milliseconds, so that the order of texts is that of time.
    .refine(({ from, until }) => from === undefined || until === undefined || from < until, {
      error: 'must be after from',
      path: ['until'],
    }),
);

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
// The longest name of a zone has 32 characters.
const MAX_ZONE = 64;

// There are 600. To ask the platform for one takes a tenth of a millisecond, and a batch may have thousands of conditions.
const zones = new TextMemo(isTimeZone, { mostEntries: 1000, mostBytes: 512 * 1024 });

const time = (what: string) =>
  z
    .string()
    .regex(TIME, 'must be a time from 00:00 to 23:59')
    .meta({ description: what, example: '09:00', brief: 'a time such as 09:00' });

const hours = lazy(() =>
  z
    .strictObject({
      type: typeName('hours'),
      days: listOf(z.enum(DAYS, { error: `must be one of ${DAYS.join(', ')}` }), {
        most: DAYS.length,
        things: 'days',
      })
        .overwrite((days) => DAYS.filter((day) => days.includes(day)))
        .meta({ description: 'The days on which the hours begin; left out for every day' })
        .optional(),
      from: time('When the hours begin, on the clocks of the zone'),
      until: time('When they end; if it is before `from`, it is on the next day'),
      tz: z
        .string()
        .refine((name) => name.length <= MAX_ZONE && zones.of(name.toLowerCase()), {
          error: 'must be an IANA time zone such as Europe/Berlin',
        })
        .meta({ description: 'The IANA time zone', maxLength: MAX_ZONE, example: 'Europe/Berlin' }),
      not: not(),
    })
    .refine(({ from, until }) => from !== until, { error: 'must not be the same as from', path: ['until'] }),
);

/** The schema of each type, in the order of `conditionTypes`. */
export const conditionSchemas = {
  country: listSchema('country', 'Codes of countries (ISO 3166-1 alpha-2), case-insensitive', () =>
    knownValue('the code of a country (ISO 3166-1 alpha-2) such as DE', countryOf),
  ),
  region: listSchema(
    'region',
    'Codes of the first-level regions of countries (ISO 3166-2) such as US-TX, case-insensitive',
    () => knownValue('the code of a region (ISO 3166-2) such as US-TX', findRegion),
  ),
  continent: listSchema('continent', `Codes of continents, case-insensitive: ${CONTINENTS.join(', ')}`, () =>
    knownValue(`one of ${CONTINENTS.join(', ')}`, findIn(CONTINENTS)),
  ),
  language: listSchema(
    'language',
    'Language ranges (RFC 4647, section 2.1) such as de, or pt-BR for the language of a country; * is any language',
    () => knownValue('a language such as de, or pt-BR, or *', findRange),
  ),
  device: listSchema('device', `Kinds of devices: ${DEVICES.join(', ')}`, () =>
    knownValue(`one of ${DEVICES.join(', ')}`, findIn(DEVICES)),
  ),
  os: listSchema('os', 'Names of operating systems, as click statistics have them, case-insensitive', () =>
    knownValue('the name of an operating system such as Android', findIn(SYSTEMS)),
  ),
  browser: listSchema('browser', 'Names of browsers, as click statistics have them, case-insensitive', () =>
    knownValue('the name of a browser such as Firefox', findIn(BROWSERS)),
  ),
  visitor: listSchema('visitor', `Kinds of visitors: ${KINDS.join(', ')}`, () =>
    knownValue(`one of ${KINDS.join(', ')}`, findIn(KINDS)),
  ),
  referrer: listSchema(
    'referrer',
    'Hosts of the pages that visitors come from; each stands for all hosts below it too',
    () => knownValue('the name of a host such as example.com', parseDomainName),
  ),
  address: listSchema(
    'address',
    'Networks in CIDR notation (RFC 4632; RFC 4291, section 2.3), IPv4 or IPv6; a single IP address is a network too',
    () => knownValue('a network such as 192.0.2.0/24 or 2001:db8::/32', findNetwork),
  ),
  query,
  date,
  hours,
} as const satisfies { readonly [Type in Condition['type']]: () => z.ZodType<ConditionOf<Type>> };

/** The schema of a condition. */
export const conditionSchema = lazy(() => {
  const { country, ...others } = conditionSchemas;
  return z.discriminatedUnion('type', [country(), ...Object.values(others).map((schema) => schema())], {
    error: () => `must be one of ${Object.keys(conditionTypes).join(', ')}`,
  });
});
