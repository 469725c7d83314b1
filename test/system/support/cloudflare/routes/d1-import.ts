import { createHash } from 'node:crypto';
import { jsonOf, type Routes } from '../call.ts';
import { ApiError, Raw } from '../envelope.ts';
import type { Stores } from '../stores.ts';
import { databaseOf, runStatements, splitStatements } from './d1.ts';

/**
 * The import of a file into a database, as `wrangler d1 execute --file` uses it. The database answers no queries
 * meanwhile, so a deploy should not use it: https://developers.cloudflare.com/d1/best-practices/import-export-data/
 */
export function d1ImportRoutes(stores: Stores): Routes {
  const files = new Map<string, string>();
  return {
    'POST /accounts/:account/d1/database/:database/import': async (call) => {
      const { uuid } = databaseOf(call);
      const { action, etag = '' } = jsonOf(call) as { action?: string; etag?: string };
      if (action === 'init' && !files.has(etag)) {
        return { success: true, filename: `${etag}.sql`, upload_url: `${call.origin}/d1-import/${etag}` };
      }
      const sql = files.get(etag);
      if (sql === undefined) throw new ApiError(400, 7400, 'Invalid property: etag');
      const statements = await splitStatements(sql);
      const results = await runStatements(
        stores,
        uuid,
        statements.map((each) => ({ sql: each })),
      );
      const sum = (of: 'duration' | 'rows_read' | 'rows_written') =>
        results.reduce((total, { meta }) => total + meta[of], 0);
      const meta = {
        served_by: 'stub',
        size_after: 0,
        duration: sum('duration'),
        rows_read: sum('rows_read'),
        rows_written: sum('rows_written'),
      };
      return {
        success: true,
        type: 'import',
        status: 'complete',
        at_bookmark: BOOKMARK,
        messages: [],
        result: { success: true, num_queries: results.length, final_bookmark: BOOKMARK, meta },
      };
    },

    'PUT /d1-import/:etag': ({ body, params }) => {
      const etag = createHash('md5').update(body).digest('hex');
      if (etag !== params['etag']) throw new ApiError(400, 7400, 'The file is another one than was announced');
      files.set(etag, body.toString());
      return new Raw(200, { ETag: `"${etag}"` });
    },
  };
}

const BOOKMARK = '00000001-00000002-00000003-0123456789abcdef0123456789abcdef';
