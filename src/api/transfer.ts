import { Hono } from 'hono';
import type { Site } from '../domains/host.ts';
import { readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import { limitCreates } from '../http/create-limit.ts';
import type { HttpEnv } from '../http/env.ts';
import { failureBody } from '../http/failure.ts';
import { readFile } from '../http/file.ts';
import { linkExportQuery, linkImportQuery } from '../http/queries.ts';
import { readQuery } from '../http/query.ts';
import { streamTexts } from '../http/stream.ts';
import { allowOnly } from '../http/surface.ts';
import { targetJudge } from '../http/target-filter.ts';
import { csvOf } from '../links/csv.ts';
import { EXPORT_TYPES, exportLinks } from '../links/export.ts';
import { parseLinkFile } from '../links/import-file.ts';
import { importLinks, ROWS_PER_CREATE, type ImportResult } from '../links/import.ts';
import { ndjsonOf } from '../links/ndjson.ts';
import { shortUrlOf } from '../links/short-url.ts';
import { parseFields } from '../validation.ts';
import { toManagedRecord } from './record.ts';

/** `/v1/links/export` and `/v1/links/import`: all links of a client as one file, and back. */
export function transferApi(): Hono<HttpEnv> {
  const transfer = new Hono<HttpEnv>();

  transfer.get('/v1/links/export', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    const { format, ...query } = parseFields(linkExportQuery, readQuery(c));
    const pages = exportLinks(c.var.db, await actAs(query));
    const { site, requestId } = c.var;
    const texts =
      format === 'csv'
        ? csvOf(pages, (link) => shortUrlOf(link, site))
        : ndjsonOf(pages, (link) => toManagedRecord(link, site));
    const body = await streamTexts(texts, requestId);
    c.header('Content-Type', EXPORT_TYPES[format]);
    c.header('Content-Disposition', `attachment; filename="links.${format}"`);
    return c.body(body);
  });

  transfer.all('/v1/links/export', allowOnly('GET', 'HEAD'));

  transfer.post('/v1/links/import', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    const { dry_run: dryRun, ...query } = parseFields(linkImportQuery, readQuery(c));
    const { bytes, kind } = await readFile(c.req.raw, FILE_KINDS, MAX_FILE_BYTES);
    const rows = parseLinkFile(bytes, kind, c.var.site);
    const actor = await actAs(query);
    await limitCreates(c, actor.credential, Math.ceil(rows.length / ROWS_PER_CREATE));
    const results = await importLinks(c.var.db, actor, rows, { dryRun, judgeTargets: targetJudge(c) });
    const count = (status: ImportResult['status']) => results.filter((result) => result.status === status).length;
    return c.json({
      dry_run: dryRun,
      created: count('created'),
      unchanged: count('unchanged'),
      errors: count('error'),
      results: results.map((result, index) => presentResult(result, index + 1, c.var.site)),
    });
  });
  transfer.all('/v1/links/import', allowOnly('POST'));
  return transfer;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const FILE_KINDS = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson', 'application/ndjson': 'ndjson' } as const;

function presentResult(result: ImportResult, row: number, site: Site) {
  if (result.status === 'error') return { row, status: 'error', error: failureBody(result.error).error };
  return { row, status: result.status, ...(result.link && { link: toManagedRecord(result.link, site) }) };
}
