import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { DIMENSIONS, KINDS, OTHER_WORD, type Kind } from '../statistics/facts.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import { hostsOfSite } from './referrer-sites.ts';
import { sourceWord } from './source.ts';
import { BROWSERS, SYSTEMS } from './visitor-names.ts';

/** The filters of click statistics. A click fits if it has one of the values of each filter that is given. */

const MAX_VALUES = 50;
const MAX_LENGTH = 300;
/** The value of what is not known, whose `key` in the rows is null. */
const UNKNOWN = 'null';

/** The name of the destination `url`, as questions and their results have it. */
export const DEFAULT_DESTINATION = 'default';

/** @param toWord gives the value as it is counted, or null for one that no click can have */
function values(shape: string, toWord: (text: string) => string | null, description: string) {
  return z
    .array(z.string())
    .max(MAX_VALUES, { error: `must be given at most ${MAX_VALUES} times` })
    .transform((texts) => texts.map((text) => (text === UNKNOWN ? '' : text.length > MAX_LENGTH ? null : toWord(text))))
    .refine((words): words is string[] => words.every((word) => word !== null), {
      error: `must be ${shape}, or ${UNKNOWN} for what is not known`,
    })
    .optional()
    .meta({ description: `${description}. Can be repeated; ${UNKNOWN} for what is not known`, brief: shape });
}

const fitting = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : null);

/** Names that are known in small letters too. Others are taken as they are: a former version may have counted them. */
function namedIn(names: ReadonlySet<string>): (text: string) => string | null {
  const byLetters = new Map([...names, OTHER_WORD].map((name) => [name.toLowerCase(), name]));
  return (text) => byLetters.get(text.toLowerCase()) ?? fitting(/^\S/)(text);
}

const kindOf = (text: string): Kind | undefined => KINDS.find((kind) => kind === text);

export const filterFields = lazy(() => ({
  country: values(
    'a country code such as DE',
    (text) => fitting(/^(?:[A-Z][A-Z0-9]|OTHER)$/)(text.toUpperCase())?.replace('OTHER', 'other') ?? null,
    'Only clicks from this country (ISO 3166-1 alpha-2)',
  ),
  referrer: values(
    'a host such as example.com',
    (text) => fitting(/^[a-z0-9._:[\]-]{1,253}$/)(text.toLowerCase()),
    'Only clicks from pages of this host, or of all hosts of the site with this name',
  ),
  browser: values('the name of a browser such as Firefox', namedIn(BROWSERS), 'Only clicks with this browser'),
  os: values('the name of a system such as Android', namedIn(SYSTEMS), 'Only clicks with this operating system'),
  device: values(
    'a kind of device such as mobile',
    (text) => fitting(/^[a-z]+$/)(text.toLowerCase()),
    'Only clicks on this kind of device',
  ),
  language: values(
    'a language such as de',
    (text) => fitting(/^(?:[a-z]{2,3}|other)$/)(text.toLowerCase()),
    'Only clicks with this language (ISO 639)',
  ),
  destination: values(
    'the name of a destination',
    // A click that was led to `url` is counted without a name.
    (text) => (text === DEFAULT_DESTINATION ? '' : fitting(/^\S/)(text)),
    'Only clicks that were led to this destination of their link',
  ),
  campaign: values('the name of a campaign', (text) => text, 'Only clicks that counted for this campaign'),
  via: values('a source such as qr, link or newsletter', sourceWord, 'Only clicks with this source'),
  utm_medium: values('a medium such as email', sourceWord, 'Only clicks with this `utm_medium`'),
  utm_campaign: values('a campaign such as spring', sourceWord, 'Only clicks with this `utm_campaign`'),
  visitor: z
    .array(z.string())
    .max(KINDS.length, { error: `must be given at most ${KINDS.length} times` })
    .transform((texts) => texts.map((text) => (text.length > MAX_LENGTH ? undefined : kindOf(text.toLowerCase()))))
    .refine((kinds): kinds is Kind[] => !kinds.includes(undefined), { error: 'must be human, bot or preview' })
    .optional()
    .meta({
      description: 'Only clicks of people, of programs or of previews. Can be repeated',
      items: { type: 'string', enum: KINDS },
    }),
}));

/** Filters of a question. */
export type FilterQuery = {
  readonly [Name in keyof ReturnType<typeof filterFields>]?: z.output<ReturnType<typeof filterFields>[Name]>;
};

/** The names of `filterFields`, in its order, without a schema. */
export const FILTER_NAMES = [...DIMENSIONS, 'visitor'] as const satisfies readonly (keyof FilterQuery)[];

/** The parameters that may be repeated. */
export const REPEATABLE_NAMES: readonly string[] = [...FILTER_NAMES, 'link'];

/** The filters of a question, as objects have them: the name of a site stands for all of its hosts. */
export function toFilters({ referrer, ...others }: FilterQuery): Filters {
  const hosts = referrer && [...new Set(referrer.flatMap(hostsOfSite))];
  const given = Object.entries({ ...others, referrer: hosts }).filter(([, list]) => list !== undefined);
  return Object.fromEntries(given);
}

/** Limits filters to the clicks for a campaign. */
export function ofCampaign(name: string, filters: Filters): Filters {
  return { ...filters, campaign: filters.campaign?.filter((each) => each === name) ?? [name] };
}

/** Limits a question to the clicks for a campaign. */
export function withinCampaign<Query extends FilterQuery>(name: string, query: Query): Query {
  return { ...query, campaign: query.campaign?.filter((each) => each === name) ?? [name] };
}
