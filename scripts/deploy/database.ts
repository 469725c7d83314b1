import * as z from 'zod';
import type { SendSql } from '../migrations/migrate.ts';
import type { Cloudflare } from './cloudflare.ts';

const response = z.array(z.looseObject({ results: z.array(z.unknown()).default([]) }));

/**
 * Sends statements to D1 as one query, which is one transaction. An import would close the database to others. Source:
 * https://developers.cloudflare.com/api/resources/d1/subresources/database/methods/query/
 */
export function openRemoteSql({ accountId, send }: Cloudflare, databaseId: string): SendSql {
  return async (statements) => {
    // On lines of their own, since a statement may end with a comment.
    const sql = statements.join('\n;\n');
    const results = await send('POST', `/accounts/${accountId}/d1/database/${databaseId}/query`, { sql }, response);
    return results.map(({ results }) => results);
  };
}
