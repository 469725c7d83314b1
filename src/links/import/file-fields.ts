import * as z from 'zod';
import { fault, fieldError } from '../../input/validation.ts';
import { textUpTo } from '../../input/schemas.ts';
import { lazy } from '../../isolate/lazy.ts';
import { UNPROTECTED } from './formats/convert.ts';
import { MAX_HOST_CHOICES, NO_CHOICES, readHostChoices } from './formats/hosts.ts';
import type { FileOptions } from './formats/reading.ts';
import { charsetOf, isCharset } from './charsets.ts';
import { DATE_ORDERS } from './dates/orders.ts';
import { MAPPABLE, type Mapping } from './mapping.ts';
import { FORMAT_NAMES } from './formats/table.ts';

/** The parameters of a query by which a caller describes a file. */

const FORMAT_IDS = Object.keys(FORMAT_NAMES) as [string, ...string[]];
const MAX_COLUMN_NAME = 200;
const LONGEST_CHOICE = 600;

const WORDS: Readonly<Record<keyof Mapping, string>> = {
  url: 'the destination',
  slug: 'the slug',
  short_url: 'the short URL, or its host',
  title: 'the title',
  tags: 'the tags',
  created_at: 'the creation date',
  expires_at: 'the expiry date',
  clicks: 'the clicks until now, which become imported_clicks',
};

const column = (words: string) =>
  textUpTo(MAX_COLUMN_NAME)
    .optional()
    .meta({ description: `The name of the column with ${words}` });

type MapFields = { readonly [Name in keyof Mapping as `map_${Name}`]-?: ReturnType<typeof column> };

const mapFields = () =>
  Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [`map_${name}`, column(words)])) as MapFields;

export const fileFields = lazy(() => ({
  from: z
    .enum(FORMAT_IDS, { error: `must be one of ${FORMAT_IDS.join(', ')}` })
    .optional()
    .meta({ description: 'The service that has written the file; recognised by the columns if left out' }),
  ...mapFields(),
  host: z
    .array(
      z
        .string()
        .max(LONGEST_CHOICE, { error: `must be at most ${LONGEST_CHOICE} characters long`, ...fault('too_long') }),
    )
    .max(MAX_HOST_CHOICES, `must be given at most ${MAX_HOST_CHOICES} times`)
    .optional()
    .meta({
      description:
        "Where links go instead of the host in the file: `shared` (the service's own host) or a custom domain, for all " +
        'links; `bit.ly:shared` for those of one host; `:shared` for those whose host the file does not name. Can be repeated',
    }),
  unprotected: z
    .enum(UNPROTECTED, { error: `must be one of ${UNPROTECTED.join(', ')}` })
    .optional()
    .meta({
      description:
        'What becomes of a link that had a password, was banned, or has a limit that cannot be read: `disable` creates it ' +
        'disabled, `publish` creates it open to all; `disable` if left out',
    }),
  dates: z
    .enum(DATE_ORDERS, { error: `must be one of ${DATE_ORDERS.join(', ')}` })
    .optional()
    .meta({
      description:
        'The order of day, month and year in dates such as 03/04/2030. If left out, each column is read in the only order ' +
        'that all of its dates admit; a column that admits several or none is an error',
    }),
  charset: z
    .string()
    .max(LONGEST_CHARSET, { error: `must be at most ${LONGEST_CHARSET} characters long`, ...fault('too_long') })
    .refine(isCharset, 'must be the name of an encoding, such as utf-8, windows-1252 or utf-16le')
    .optional()
    .meta({
      description:
        'The encoding of the file, such as `windows-1252` or `utf-16le`. If left out, it is that of the Content-Type, else ' +
        'UTF-8; a byte order mark counts more than both',
    }),
}));

/** The longest label of an encoding is shorter. */
const LONGEST_CHARSET = 40;

type FileQuery = {
  readonly [Name in keyof ReturnType<typeof fileFields>]?: z.output<ReturnType<typeof fileFields>[Name]>;
};

/** The options for a file in its query. Throws `invalid_host`, `invalid_from`. */
export function readFileOptions(query: FileQuery): FileOptions {
  const map = Object.fromEntries(
    Object.keys(MAPPABLE).flatMap((name) => {
      const given = query[`map_${name}` as keyof MapFields];
      return given === undefined ? [] : [[name, given]];
    }),
  ) as Mapping;
  const isMapped = Object.keys(map).length > 0;
  if (isMapped && query.from !== undefined) {
    throw fieldError('invalid_from', 'from', 'from must be left out if columns are mapped.');
  }
  return {
    from: query.from,
    map: isMapped ? map : undefined,
    hosts: query.host === undefined ? NO_CHOICES : readHostChoices(query.host),
    unprotected: query.unprotected ?? 'disable',
    dates: query.dates,
    ...(query.charset !== undefined && { charset: charsetOf(query.charset) ?? undefined }),
  };
}
