import { Hono } from 'hono';
import type { Site } from '../hosts.ts';
import { faultsOf } from '../errors.ts';
import { readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { failureBody } from '../http/failure.ts';
import { readFile } from '../http/file.ts';
import { JSON_TYPE } from '../http/json.ts';
import { admitLarge } from '../http/large-body.ts';
import { answerLinkFile } from '../http/link-file.ts';
import { linkExportQuery, linkImportQuery } from '../http/queries.ts';
import { refuseRepeat } from '../http/idempotency.ts';
import { readQuery } from '../http/query.ts';
import { limitRate } from '../http/rate-limits.ts';
import { streamTexts } from '../http/stream.ts';
import { allowOnly } from '../http/surface.ts';
import { targetPolicyOf } from '../http/target-policy.ts';
import { exportLinks } from '../links/export/export.ts';
import { FILE_KINDS, formatOf, parseLinkFile } from '../links/import/import-file.ts';
import type { FileRow } from '../links/import/import-row.ts';
import {
  importLinks,
  authorizeImport,
  createdLinks,
  ROWS_PER_CREATE,
  type ImportResult,
} from '../links/import/import.ts';
import { forgetAbsent } from '../links/redirect/resolve.ts';
import { parseFields } from '../validation.ts';
import { toManagedRecord } from './record.ts';

/** `/v1/links/export` and `/v1/links/import`: all links of a client as one file, and back. */
export function transferApi(): Hono<HttpEnv> {
  const transfer = new Hono<HttpEnv>();

  transfer.get('/v1/links/export', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    const { format, ...query } = parseFields(linkExportQuery(), readQuery(c));
    return answerLinkFile(c, format, exportLinks(c.var.db, await actAs(query)));
  });

  transfer.all('/v1/links/export', allowOnly('GET', 'HEAD'));

  transfer.post('/v1/links/import', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    refuseRepeat(c, 'importing the same file again creates only the missing links. Leave the header out.');
    const { dry_run: dryRun, ...query } = parseFields(linkImportQuery(), readQuery(c));
    const admit = admitLarge(c, async () => authorizeImport(c.var.db, await actAs(query)));
    const { kind, chunks } = await readFile(c.req.raw, FILE_KINDS, formatOf, { maxBytes: MAX_FILE_BYTES, admit });
    const rows = await parseLinkFile(chunks, kind, c.var.site);
    const actor = await actAs(query);
    await limitRate(c, 'create', actor.credential, Math.ceil(rows.length / ROWS_PER_CREATE));
    const results = await importLinks(c.var.db, actor, rows, {
      dryRun,
      targetPolicy: targetPolicyOf(c),
    });
    forgetAbsent(c.var.services.memory, createdLinks(results));
    const answer = presentResults(rows, results, dryRun, c.var.site);
    c.header('Content-Type', JSON_TYPE);
    return c.body(await streamTexts(answer, c.var.requestId));
  });
  transfer.all('/v1/links/import', allowOnly('POST'));
  return transfer;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;

const RESULTS_PER_TEXT = 50;

// In pieces, since one text could be as long as the file.
async function* presentResults(
  rows: readonly FileRow[],
  results: readonly ImportResult[],
  dryRun: boolean,
  site: Site,
): AsyncGenerator<string, void> {
  const count = (status: ImportResult['status']) => results.filter((result) => result.status === status).length;
  const counts = { created: count('created'), unchanged: count('unchanged'), errors: count('error') };
  let text = `${JSON.stringify({ dry_run: dryRun, ...counts }).slice(0, -1)},"results":[`;
  for (const [index, result] of results.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(presentResult(rows[index]!.number, result, site))}`;
    if (index % RESULTS_PER_TEXT !== RESULTS_PER_TEXT - 1) continue;
    yield text;
    text = '';
  }
  yield `${text}]}`;
}

function presentResult(row: number, result: ImportResult, site: Site) {
  if (result.status === 'error') {
    const errors = faultsOf(result.error);
    return { row, status: 'error', error: failureBody(result.error).error, ...(errors.length > 0 && { errors }) };
  }
  return { row, status: result.status, ...(result.link && { link: toManagedRecord(result.link, site) }) };
}
