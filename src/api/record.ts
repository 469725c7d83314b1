import type { LinkRecord } from '../links/record.ts';

export { toManagedRecord, toRecord, type LinkRecord, type ManagedRecord } from '../links/record.ts';

/** The contract's success body: the record goes into `result` as JSON text, and there is no `error`. */
export function success(record: LinkRecord): { readonly result: string } {
  return { result: JSON.stringify(record) };
}
