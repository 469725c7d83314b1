import { expect, it } from 'vitest';
import { dumpTables } from '../../scripts/backup/dump.ts';
import type { Service } from '../../scripts/operator-service.ts';
import type { Table } from '../../src/operator/tables.ts';

const text = (name: string) => ({ name, type: 'TEXT', isOptional: false }) as const;
const ofLinks = [{ table: 'links', column: 'link_id', isIndexed: true }];
const TABLES: readonly Table[] = [
  { name: 'links', columns: [text('id')], key: ['id'], parents: [] },
  { name: 'addresses', columns: [text('link_id'), text('slug')], key: ['slug'], parents: ofLinks },
];

interface RequestContext {
  readonly schema: string;
  readonly table: string;
  readonly limit: number;
  readonly after: readonly string[] | null;
  readonly owners: { readonly after: string | null; readonly upTo: string } | null;
}

/** A service with a number of links of one address each, which records its requests. */
function openLinks(count: number): { readonly service: Service; readonly asked: RequestContext[] } {
  const ids = Array.from({ length: count }, (_, n) => `l${String(n).padStart(6, '0')}`);
  const asked: RequestContext[] = [];
  const service = {
    origin: null,
    askWithRetry: async (_: string, body: object, answer: { parse: (value: object) => unknown }) => {
      const page = body as RequestContext;
      asked.push(page);
      const [after] = page.after ?? [page.owners?.after ?? ''];
      const found = ids.filter((id) => id > (after ?? '') && id <= (page.owners?.upTo ?? '~'));
      const rows = found.slice(0, page.limit).map((id) => (page.table === 'links' ? [id] : [id, id]));
      return answer.parse({ rows, is_last: found.length <= page.limit });
    },
  };
  return { service: service as unknown as Service, asked };
}

it('a backup reads rows of links in pages as large as those of the links, and no empty page', async () => {
  const { service, asked } = openLinks(20_000);
  const lines: object[] = [];
  const rows = await dumpTables(service, { schema: 's', tables: TABLES }, (line) => void lines.push(line));
  expect(rows).toEqual({ links: 20_000, addresses: 20_000 });
  expect(lines.filter(Array.isArray)).toHaveLength(40_000);
  expect(asked.every(({ schema }) => schema === 's')).toBe(true);
  // Pages of 50, 100, … 3200 and then 4000 links, each followed by one page of their addresses.
  const pagesOf = (name: string) => asked.filter(({ table }) => table === name).length;
  expect(pagesOf('links')).toBeLessThan(13);
  expect(pagesOf('addresses')).toBeLessThan(2 * pagesOf('links'));
});
