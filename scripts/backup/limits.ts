import * as z from 'zod';
import { LIMIT_COLUMNS, LIMITS } from '../../src/operator/limits.ts';
import type { Table } from '../../src/operator/tables.ts';
import type { Service } from '../operator-service.ts';
import type { Row } from './file.ts';

/**
 * The counts of limited links in a backup, after the click statistics: without them a restored link would redirect as
 * many visitors again as it did before.
 */

// The service takes 200.
const LINKS = 100;

const page = z.object({ rows: z.array(z.array(z.string().nullable())) });

/** The ids of the links with a limit among rows of a table; none if it has no limits. */
export function limitedLinks({ name, columns }: Table, rows: readonly Row[]): readonly string[] {
  const indexOf = (column: string) => columns.findIndex((each) => each.name === column);
  const [id, limit] = [indexOf('id'), indexOf('max_clicks')];
  if (name !== 'links' || limit < 0) return [];
  return rows.filter((row) => row[limit] !== null).map((row) => row[id]!);
}

/** Writes the counts of links, and returns how many rows the section has. */
export async function dumpLimits(
  service: Service,
  links: readonly string[],
  line: (value: object) => void,
): Promise<Record<string, number>> {
  if (links.length === 0) return {};
  line({ table: LIMITS, columns: LIMIT_COLUMNS });
  for (let from = 0; from < links.length; from += LINKS) {
    const { rows } = await service.askWithRetry('read-limits', { links: links.slice(from, from + LINKS) }, page);
    for (const row of rows) line(row);
  }
  return { [LIMITS]: links.length };
}
