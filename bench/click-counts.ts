/** The use that the Worker made of its stores. */
export interface Counts {
  kvReads: number;
  /** Including deletes, which cost the same. */
  kvWrites: number;
  /** Calls of D1; a batch of queries is one. */
  roundTrips: number;
  queries: number;
  rowsRead: number;
  rowsWritten: number;
  messages: number;
  messageBytes: number;
  queueOperations: number;
  consumerRuns: number;
  /** Calls of objects, and their alarms. */
  objectRequests: number;
  objectRowsRead: number;
  objectRowsWritten: number;
  /** The time that objects were at work. */
  objectMilliseconds: number;
}

export const NO_COUNTS: Readonly<Counts> = {
  kvReads: 0,
  kvWrites: 0,
  roundTrips: 0,
  queries: 0,
  rowsRead: 0,
  rowsWritten: 0,
  messages: 0,
  messageBytes: 0,
  queueOperations: 0,
  consumerRuns: 0,
  objectRequests: 0,
  objectRowsRead: 0,
  objectRowsWritten: 0,
  objectMilliseconds: 0,
};

/** A message is written, read and deleted. Source: https://developers.cloudflare.com/queues/platform/pricing/ */
export const OPERATIONS_PER_MESSAGE = 3;
const OPERATION_BYTES = 64_000;
const METADATA_BYTES = 100;

/** The operations that one message costs: three for each 64 KB, of 1,000 bytes, of the message and its metadata. */
export function queueOperations(messageBytes: number): number {
  return OPERATIONS_PER_MESSAGE * Math.ceil((messageBytes + METADATA_BYTES) / OPERATION_BYTES);
}
