import type { Site } from '../network/hosts.ts';
import type { ClickedLink } from '../links/list/clicked-link.ts';
import { toManagedRecord, type LinkRecord, type ManagedRecord } from '../links/record.ts';
import { toInstant } from '../time/instant.ts';

export { toManagedRecord, toRecord, type CreatedRecord, type LinkRecord, type ManagedRecord } from '../links/record.ts';

/** The contract's success body: the record goes into `result` as JSON text, and there is no `error`. */
export function success(record: LinkRecord): { readonly result: string } {
  return { result: JSON.stringify(record) };
}

/** A link of a list: its record, and its clicks. */
export interface ClickedRecord extends ManagedRecord {
  /** Null if the statistics do not respond. */
  readonly clicks: number | null;
  /** Null if the statistics do not respond. */
  readonly humans: number | null;
  /** Null without a click limit, or if the limit does not respond. */
  readonly clicks_left: number | null;
  readonly last_click_at: string | null;
}

export function toClickedRecord(link: ClickedLink, clicksLeft: number | null, site: Site): ClickedRecord {
  const { clicks, humans, lastClickAt } = link;
  return {
    ...toManagedRecord(link, site),
    clicks_left: clicksLeft,
    clicks,
    humans,
    last_click_at: toInstant(lastClickAt),
  };
}
