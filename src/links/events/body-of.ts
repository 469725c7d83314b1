import type { Site } from '../../network/hosts.ts';
import { toManaged, type ManagedRow } from '../managed-link.ts';
import { toManagedRecord, type ManagedRecord } from '../record.ts';
import type { RecordedLink } from './link-event.ts';

/** An event as it was recorded. */
interface RecordedEvent {
  readonly happenedAt: number;
  /** JSON. */
  readonly data: string;
}

/**
 * The `data` of an event as it is sent, as JSON: that of an event about a link is the managed record, with `previous`
 * after a change. Called once, by what dispatches the event, which stores the result; what it has returned is returned
 * unchanged.
 */
export function bodyOf({ happenedAt, data }: RecordedEvent, site: Site): string {
  const recorded: object = JSON.parse(data);
  return isRecordedLink(recorded) ? JSON.stringify(linkBody(recorded, happenedAt, site)) : data;
}

type LinkBody = ManagedRecord & { readonly previous?: Partial<ManagedRecord> };

const isRecordedLink = (data: object): data is RecordedLink => 'row' in data && 'changes' in data;

function linkBody({ row: parts, changes }: RecordedLink, at: number, site: Site): LinkBody {
  const row = Object.assign({}, ...parts) as ManagedRow;
  const record = toManagedRecord(toManaged(row, at), site);
  if (changes === null) return record;
  const former = Object.fromEntries(Object.entries(changes).map(([column, [before]]) => [column, before]));
  const previous = toManagedRecord(toManaged({ ...row, ...former }, at), site);
  const differing = Object.entries(previous).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(record[name as keyof ManagedRecord]),
  );
  return { ...record, previous: Object.fromEntries(differing) };
}
