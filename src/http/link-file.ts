import type { Context } from 'hono';
import { csvOf } from '../links/export/csv.ts';
import { EXPORT_TYPES, type ExportedLink } from '../links/export/export.ts';
import { ndjsonOf } from '../links/export/ndjson.ts';
import { toManagedRecord } from '../links/record.ts';
import { shortUrlOf } from '../links/slugs/short-url.ts';
import type { HttpEnv } from './env.ts';
import { streamTexts } from './stream.ts';

/** Streams links as a file to download. Throws what reading the first page of links throws. */
export async function respondWithLinkFile<E extends HttpEnv>(
  c: Context<E>,
  format: keyof typeof EXPORT_TYPES,
  pages: AsyncIterable<readonly ExportedLink[]>,
): Promise<Response> {
  const { site, requestId } = c.var;
  const texts =
    format === 'csv'
      ? csvOf(pages, (link) => shortUrlOf(link, site))
      : ndjsonOf(pages, (link) => ({ ...toManagedRecord(link, site), clicks_left: link.clicksLeft }));
  const body = await streamTexts(texts, requestId);
  c.header('Content-Type', EXPORT_TYPES[format]);
  c.header('Content-Disposition', `attachment; filename="links.${format}"`);
  return c.body(body);
}
