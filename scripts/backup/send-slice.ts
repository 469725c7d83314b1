import * as z from 'zod';
import { UsageError } from '../cli-error.ts';
import type { Service } from '../operator-service.ts';

const progress = z.object({ next_row: z.int() });

interface SliceHead {
  readonly sha256: string;
  readonly from: number;
  readonly to: number;
  /** The table of rows of the database, and their columns. */
  readonly table?: string;
  readonly columns?: readonly string[];
}

/**
 * Sends a slice of a backup's rows. Throws `UsageError`, also if another restore of this backup is running.
 *
 * @param head the hash of the backup, and which of its rows these are, `to` excluded
 * @param lines the lines after the head, each as JSON
 */
export async function sendSlice(
  service: Service,
  command: 'restore-rows' | 'restore-statistics',
  head: SliceHead,
  lines: readonly string[],
): Promise<void> {
  const body = [JSON.stringify(head), ...lines, ''].join('\n');
  const { next_row } = await service.askWithRetry(command, body, progress);
  if (next_row < head.to) throw new UsageError('Another restore of this backup is running: wait until it is finished.');
}
