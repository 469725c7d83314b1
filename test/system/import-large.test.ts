import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DomainRecord } from '../../src/api/domain-record.ts';
import { startResolver } from '../support/resolver.ts';
import { ended, startProcess } from '../scripts/support/processes.ts';
import { NODE, printedOnce } from '../scripts/support/project.ts';
import { ask } from '../scripts/support/server.ts';
import type { ZoneEntry } from '../support/zone.ts';
import { openImportTool } from './support/import-tool.ts';

/**
 * A whole file of another service, from its first piece to the visitors of its domain. `IMPORT_ROWS=100000` runs it with
 * so many rows; it prints how long each step took.
 */

const ROWS = Number(process.env['IMPORT_ROWS'] ?? 3000);
// Once so many rows are written, the tool is killed.
const KILLED_AFTER = Math.floor(ROWS / 3);
const HOST = 'go.large.example';
const HEADER =
  'idString,shortURL,originalPath,originalURL,title,clicks,createdAt,updatedAt,expiresAt,createdBy,tags,domain';
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const lineOf = (row: number) =>
  `lnk_${row},https://${HOST}/Page-${row},Page-${row},https://example.com/pages/${row}?from=short,"Page, ${row}",${row % 97},` +
  `2024-03-01T10:00:00.000Z,2024-03-01T10:00:00.000Z,,ann,${row % 2 ? 'odd' : 'even'},${HOST}`;
const FILE = `${HEADER}\n${Array.from({ length: ROWS }, (_, index) => `${lineOf(index + 1)}\n`).join('')}`;

let resolver: Awaited<ReturnType<typeof startResolver>>;
let tool: Awaited<ReturnType<typeof openImportTool>>;

beforeAll(async () => {
  resolver = await startResolver();
  tool = await openImportTool((origin) => [
    '--var',
    `DNS_RESOLVER_URL:${resolver.url}`,
    '--var',
    `DOMAIN_PROBE_URL:${origin}`,
  ]);
});

afterAll(() => resolver.end());

it(
  'imports a file of another service, after a kill, for a domain that is verified later',
  { timeout: 3_600_000 },
  async () => {
    const file = tool.write(FILE, 'short-io.csv');
    await timed('killed', () => killAfter(file, KILLED_AFTER));
    const { next } = JSON.parse(readFileSync(`${file}.import-state`, 'utf8')) as { next: number };
    expect([next >= KILLED_AFTER, next < ROWS]).toEqual([true, true]);

    const rest = await timed('continued', () => tool.run(file));
    const counted = ['created', 'unchanged'].map((name) => Number(printedOnce(rest.stdout, name)));
    expect([rest.code, printedOnce(rest.stdout, 'refused'), sum(counted)]).toEqual([0, '0', ROWS]);
    expect(printedOnce(rest.stdout, `waits for ${HOST}`)).toContain(
      `set the TXT record _terse.${HOST} to terse-domain=`,
    );
    expect(existsSync(`${file}.import-state`)).toBe(false);

    const again = await timed('again', () => tool.run(file));
    expect([again.code, printedOnce(again.stdout, 'created'), printedOnce(again.stdout, 'unchanged')]).toEqual([
      0,
      '0',
      String(ROWS),
    ]);
    const numbers = [1, KILLED_AFTER, next + 1, ROWS];
    expect(await Promise.all(numbers.map(visit))).toEqual(numbers.map(() => [404, undefined]));

    await timed('verified', verify);
    expect(await Promise.all(numbers.map(visit))).toEqual(
      numbers.map((row) => [302, `https://example.com/pages/${row}?from=short`]),
    );
    const links = await timed('exported', () => tool.exported());
    const kept = links.map((link) => [
      link['short_url'],
      link['url'],
      link['title'],
      link['tags'],
      link['created_at'],
      link['imported_clicks'],
      link['waits_for'],
    ]);
    const wanted = Array.from({ length: ROWS }, (_, index) => index + 1).map((row) => [
      `https://${HOST}/Page-${row}`,
      `https://example.com/pages/${row}?from=short`,
      `Page, ${row}`,
      [row % 2 ? 'odd' : 'even'],
      '2024-03-01T10:00:00.000Z',
      row % 97,
      null,
    ]);
    expect(new Set(kept.map((each) => JSON.stringify(each)))).toEqual(
      new Set(wanted.map((each) => JSON.stringify(each))),
    );
    expect(links).toHaveLength(ROWS);
  },
);

async function killAfter(file: string, rows: number): Promise<void> {
  const child = startProcess(NODE, tool.argsOf(file), { cwd: tool.project });
  let printed = '';
  child.stderr?.on('data', (piece: Buffer) => {
    printed += piece.toString();
    const come = [...printed.matchAll(/([\d,]+) of /g)].at(-1)?.[1];
    if (come !== undefined && Number(come.replaceAll(',', '')) >= rows) child.kill('SIGKILL');
  });
  await ended(child);
}

async function visit(row: number) {
  const { status, headers } = await ask(`${tool.server.origin}/Page-${row}`, { headers: { Host: HOST } });
  return [status, headers['location']];
}

async function verify(): Promise<void> {
  const list = await ask(`${tool.server.origin}/v1/domains`, { headers: tool.owner });
  const [domain] = (JSON.parse(list.body) as { domains: readonly [DomainRecord] }).domains;
  const entry: ZoneEntry = { name: domain.dns.txt.name, answer: { txt: [domain.dns.txt.value] } };
  await fetch(resolver.url, { method: 'PUT', body: JSON.stringify(entry) });
  const { status, body } = await ask(`${tool.server.origin}/v1/domains/${domain.id}/verify`, {
    method: 'POST',
    headers: tool.owner,
  });
  expect([status, JSON.parse(body)]).toMatchObject([200, { status: 'active', disabled_links: 0 }]);
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = Date.now();
  const result = await work();
  if (process.env['IMPORT_ROWS']) process.stderr.write(`${what}: ${(Date.now() - begun) / 1000} s\n`);
  return result;
}
