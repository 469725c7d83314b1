import * as z from 'zod';
import { toInstant } from '../../../time/instant.ts';
import { fault, instant } from '../../../input/validation.ts';
import { conditionType, not, typeName } from './condition-type.ts';

const within = () =>
  instant()
    .refine((at) => at >= 0, { error: 'must be 1970 or later', abort: true })
    .transform((at): string => toInstant(at));

export const date = conditionType({
  label: 'Date',
  schema: () =>
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
  fits: ({ from, until }) => {
    const first = from === undefined ? -Infinity : Date.parse(from);
    const end = until === undefined ? Infinity : Date.parse(until);
    return ({ at }) => at >= first && at < end;
  },
  explain: ({ from, until, not }) => {
    const begun = from !== undefined && `${not ? 'before' : 'at or after'} ${shown(from)}`;
    const ended = until !== undefined && `${not ? 'at or after' : 'before'} ${shown(until)}`;
    return `the time is ${[begun, ended].filter(Boolean).join(not ? ', or ' : ' and ')}`;
  },
});

/** An instant without what is zero in it: "2027-01-01 09:30 UTC". */
const shown = (text: string): string =>
  `${text
    .replace(/(?::00)?\.000Z$/, '')
    .replace('T', ' ')
    .replace('Z', '')} UTC`;
