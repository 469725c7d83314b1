import { Hono } from 'hono';
import * as z from 'zod';
import { clientField, readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readQuery } from '../http/query.ts';
import { streamTexts } from '../http/stream.ts';
import { csvOf } from '../links/csv.ts';
import { exportLinks } from '../links/export.ts';
import { shortUrlOf } from '../links/short-url.ts';
import { parseFields } from '../validation.ts';
import { toManagedRecord } from './record.ts';

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

/** `/v1/links/export` and `/v1/links/import`: all links of a client as one file, and back. */
export function transferApi(): Hono<HttpEnv> {
  const transfer = new Hono<HttpEnv>();

  transfer.get('/v1/links/export', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    const { format, ...query } = parseFields(exportQuery, readQuery(c));
    const pages = exportLinks(c.var.db, await actAs(query));
    const { site, requestId } = c.var;
    const texts =
      format === 'csv'
        ? csvOf(pages, (link) => shortUrlOf(link, site))
        : ndjsonOf(pages, (link) => toManagedRecord(link, site));
    const body = await streamTexts(texts, requestId);
    c.header('Content-Type', CONTENT_TYPES[format]);
    c.header('Content-Disposition', `attachment; filename="links.${format}"`);
    return c.body(body);
  });
  return transfer;
}

const exportQuery = z.strictObject({
  ...clientField,
  format: z.enum(['csv', 'ndjson'], { error: 'must be csv or ndjson' }).default('csv'),
});

async function* ndjsonOf<Item>(
  pages: AsyncIterable<readonly Item[]>,
  present: (item: Item) => object,
): AsyncGenerator<string, void> {
  for await (const items of pages) yield items.map((item) => `${JSON.stringify(present(item))}\n`).join('');
}
