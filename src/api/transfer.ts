import { Hono } from 'hono';
import type { WaitedFor } from '../domains/file-domains.ts';
import { importRows } from '../domains/import-rows.ts';
import { readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import { domainCircumstances } from '../http/domain-tools.ts';
import { linkToolsOf } from '../http/link-tools.ts';
import type { HttpEnv, RequestContext } from '../http/env.ts';
import { readFile } from '../http/file.ts';
import { JSON_TYPE } from '../http/json.ts';
import { admitLarge } from '../http/large-body.ts';
import { respondWithLinkFile } from '../http/link-file.ts';
import { linkExportQuery, linkImportQuery } from '../http/transfer-queries.ts';
import { refuseRepeat } from '../http/idempotency.ts';
import { readQuery, readQueryAndLists } from '../http/query.ts';
import { limitRate } from '../http/rate-limits.ts';
import { streamTexts } from '../http/stream.ts';
import { allowOnly } from '../http/surface.ts';
import { exportLinks } from '../links/export/export.ts';
import { MAX_FILE_BYTES } from '../links/import/bounds.ts';
import { FILE_KINDS, formatOf } from '../links/import/file-kinds.ts';
import { parseLinkFile } from '../links/import/import-file.ts';
import { readFileOptions } from '../links/import/file-fields.ts';
import { authorizeImport, ROWS_PER_CREATE } from '../links/import/import.ts';
import { withDeclaredCharset } from '../links/import/declared-charset.ts';
import { parseFields } from '../input/validation.ts';
import { toDomainRecord } from './domain-record.ts';
import { presentImport } from './imported.ts';

/** `/v1/links/export` and `/v1/links/import`: all links of a client as one file, and back. */
export function transferApi(): Hono<HttpEnv> {
  const transfer = new Hono<HttpEnv>();

  transfer.get('/v1/links/export', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    const { format, ...query } = parseFields(linkExportQuery(), readQuery(c));
    return respondWithLinkFile(c, format, exportLinks(c.var.db, await actAs(query), c.var.openLimits));
  });

  transfer.all('/v1/links/export', allowOnly('GET', 'HEAD'));

  transfer.post('/v1/links/import', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    refuseRepeat(c, 'importing the same file again creates only the missing links. Leave the header out.');
    const { fields, lists } = readQueryAndLists(c, ['host']);
    const { dry_run: dryRun, ...query } = parseFields(linkImportQuery(), { ...fields, ...lists });
    const options = readFileOptions(query);
    const admit = once(async () => authorizeImport(c.var.db, await actAs(query)));
    const { kind, charset, chunks } = await readFile(c.req.raw, FILE_KINDS, formatOf, {
      maxBytes: MAX_FILE_BYTES,
      admit: async () => admitLarge(c, admit),
    });
    const isDeclared = options.charset === undefined && charset !== null;
    const sent = isDeclared ? await withDeclaredCharset(chunks, charset) : { chunks };
    const file = await parseLinkFile(sent.chunks, kind, c.var.site, { charset: sent.charset, ...options, admit });
    const actor = await actAs(query);
    await limitRate(c, 'create', actor.credential, Math.ceil(file.rows.length / ROWS_PER_CREATE));
    const { results, pending } = await importRows(linkToolsOf(c), actor, file.rows, c.var.site, { dryRun });
    const response = presentImport(file, results, { dryRun, site: c.var.site, domains: presentDomains(c, pending) });
    c.header('Content-Type', JSON_TYPE);
    return c.body(await streamTexts(response, c.var.requestId));
  });
  transfer.all('/v1/links/import', allowOnly('POST'));
  return transfer;
}

/** Wraps work so that it is done at the first call only. */
function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | null = null;
  return () => (begun ??= work());
}

function presentDomains(c: RequestContext, pending: readonly WaitedFor[]) {
  if (pending.length === 0) return [];
  const circumstances = domainCircumstances(c);
  return pending.map(({ host, isNew, domain }) => ({
    host,
    is_new: isNew,
    domain: domain && toDomainRecord(domain, circumstances),
  }));
}
