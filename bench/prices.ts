import type { Counts } from './click-counts.ts';

/** List prices of the paid plan beyond its included amounts, in US dollars per million. */
export const PRICES = {
  /** https://developers.cloudflare.com/workers/platform/pricing/ */
  request: 0.3,
  /** https://developers.cloudflare.com/workers/platform/pricing/ */
  cpuMillisecond: 0.02,
  /** https://developers.cloudflare.com/kv/platform/pricing/ */
  kvRead: 0.5,
  /** https://developers.cloudflare.com/kv/platform/pricing/ */
  kvWrite: 5,
  /** https://developers.cloudflare.com/d1/platform/pricing/ */
  rowRead: 0.001,
  /** https://developers.cloudflare.com/d1/platform/pricing/ */
  rowWritten: 1,
  /** For 64 KB each. https://developers.cloudflare.com/queues/platform/pricing/ */
  queueOperation: 0.4,
  /** https://developers.cloudflare.com/durable-objects/platform/pricing/ */
  objectRequest: 0.15,
  /** On the page of `objectRequest`: objects pay for 128 MB while they are at work, whatever they use. */
  objectGigabyteSecond: 12.5,
};

const OBJECT_GIGABYTES = 0.128;

export const PRICE_NOTE = `US dollars a million: ${PRICES.request.toFixed(2)} requests (a run of the consumer counts as one), \
${PRICES.cpuMillisecond.toFixed(2)} CPU ms, ${PRICES.kvRead.toFixed(2)} KV reads, ${PRICES.kvWrite.toFixed(2)} KV writes, \
${PRICES.rowRead.toFixed(3)} rows read, ${PRICES.rowWritten.toFixed(2)} rows written, ${PRICES.queueOperation.toFixed(2)} queue operations, \
${PRICES.objectRequest.toFixed(2)} requests of objects, ${PRICES.objectGigabyteSecond.toFixed(2)} GB seconds of objects`;

/** The cost of a million, in US dollars. */
export interface Cost {
  readonly requests: number;
  readonly cpu: number;
  readonly kv: number;
  readonly d1: number;
  readonly queue: number;
  readonly objects: number;
  readonly total: number;
}

/** @param each the use of one of them; its CPU time is in milliseconds */
export function costOfMillion(each: Readonly<Counts> & { readonly cpuMs: number }): Cost {
  const requests = PRICES.request * (1 + each.consumerRuns);
  const cpu = PRICES.cpuMillisecond * each.cpuMs;
  const kv = PRICES.kvRead * each.kvReads + PRICES.kvWrite * each.kvWrites;
  const d1 = PRICES.rowRead * each.rowsRead + PRICES.rowWritten * each.rowsWritten;
  const queue = PRICES.queueOperation * each.queueOperations;
  const objects = costOfObjects(each);
  return { requests, cpu, kv, d1, queue, objects, total: requests + cpu + kv + d1 + queue + objects };
}

/** The part of it for the objects. Their rows cost as much as those of D1. */
export function costOfObjects(
  each: Pick<Counts, 'objectRequests' | 'objectRowsRead' | 'objectRowsWritten' | 'objectMilliseconds'>,
): number {
  const gigabyteSeconds = (OBJECT_GIGABYTES * each.objectMilliseconds) / 1000;
  return (
    PRICES.objectRequest * each.objectRequests +
    PRICES.objectGigabyteSecond * gigabyteSeconds +
    PRICES.rowRead * each.objectRowsRead +
    PRICES.rowWritten * each.objectRowsWritten
  );
}
