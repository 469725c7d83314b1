import { conditionType, type AnyCondition } from './condition-type.ts';

/** A condition on the time of a visit. Both instants are in ISO 8601, UTC with milliseconds. */
interface DateCondition extends AnyCondition {
  readonly type: 'date';
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly until?: string | undefined;
}

export const date = conditionType<DateCondition>({
  label: 'Date',
  fits: ({ from, until }) => {
    const first = from === undefined ? -Infinity : Date.parse(from);
    const end = until === undefined ? Infinity : Date.parse(until);
    return ({ at }) => at >= first && at < end;
  },
  explain: ({ from, until, not }) => {
    const begun = from !== undefined && `${not ? 'before' : 'at or after'} ${shownInstant(from)}`;
    const ended = until !== undefined && `${not ? 'at or after' : 'before'} ${shownInstant(until)}`;
    return `the time is ${[begun, ended].filter(Boolean).join(not ? ', or ' : ' and ')}`;
  },
});

/** An instant without what is zero in it: "2027-01-01 09:30 UTC". */
export const shownInstant = (text: string): string =>
  `${text
    .replace(/(?::00)?\.000Z$/, '')
    .replace('T', ' ')
    .replace('Z', '')} UTC`;
