import { request } from 'node:http';
import { run } from '../scripts/cli-error.ts';
import { withProgress } from '../scripts/progress.ts';
import { startService, type Service } from './contestant.ts';
import { table } from './table.ts';
import { cpuSecondsOf } from './usage.ts';
import { Sandbox } from './sandbox.ts';

/**
 * `npm run bench:import`: what the largest import costs in CPU and memory, and what refusing an import with an unknown
 * key costs. CPU is that of workerd with its local stores; the heap is the isolate's, with buffers and with garbage,
 * which V8 collects late as long as the heap is far below its limit.
 */

const ROWS = 5000;
const MAX_BYTES = 10 * 1024 * 1024;
const UNKNOWN_KEY = `tk_${'a'.repeat(12)}_${'b'.repeat(43)}`;
const FORM = 'multipart/form-data; boundary=terse';

interface Case {
  readonly what: string;
  readonly type: string;
  readonly body: string;
  readonly apiKey?: string;
  readonly status: number;
}

await run(async () => {
  const sandbox = new Sandbox();
  try {
    const service = await startService(
      sandbox,
      { name: 'terse that imports', main: 'src/index.ts', isInspected: true },
      [],
    );
    const [csv, other, ndjson] = [toCsv('a'), toCsv('b'), toNdjson('c')];
    const form = `--terse\r\nContent-Disposition: form-data; name="file"; filename="b.csv"\r\n\r\n${other}\r\n--terse--\r\n`;
    const cases: readonly Case[] = [
      { what: 'one row', type: 'text/csv', body: 'url\nhttps://example.com/\n', status: 200 },
      { what: 'CSV, an invalid key', type: 'text/csv', body: csv, apiKey: UNKNOWN_KEY, status: 401 },
      { what: 'NDJSON, an invalid key', type: 'application/x-ndjson', body: ndjson, apiKey: UNKNOWN_KEY, status: 401 },
      { what: 'CSV of new links', type: 'text/csv', body: csv, status: 200 },
      { what: 'the same file again', type: 'text/csv', body: csv, status: 200 },
      { what: 'NDJSON of new links', type: 'application/x-ndjson', body: ndjson, status: 200 },
      { what: 'CSV of new links in a form', type: FORM, body: form, status: 200 },
    ];
    const rows = [];
    for (const each of cases) {
      const measured = await withProgress(
        () => `Measuring ${each.what}`,
        () => measure(service, each),
      );
      rows.push(measured);
    }
    console.log(table([['10 MiB, 5,000 rows', 'CPU, s', 'heap before, MiB', 'largest', 'after'], ...rows]));
  } finally {
    await sandbox.close();
  }
});

async function measure(
  service: Service,
  { what, type, body, apiKey = service.apiKey, status }: Case,
): Promise<string[]> {
  const before = await service.heapBytes();
  const endWatch = await service.watchHeap();
  const cpu = cpuSecondsOf(service.pid);
  const headers = { 'X-API-Key': apiKey, 'Content-Type': type };
  const response = await send(`${service.origin}/v1/links/import`, headers, body, status === 401);
  const spent = cpuSecondsOf(service.pid) - cpu;
  if (response !== status) throw new Error(`${what} returned ${response}`);
  const most = await endWatch();
  const kept = await service.heapBytes();
  return [what, spent.toFixed(2), ...[before, most, kept].map((bytes) => (bytes / 1024 / 1024).toFixed(1))];
}

// A refused caller gets the answer long before the whole body is sent, so only its beginning is sent here.
function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  isRefused: boolean,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const sent = request(
      url,
      { method: 'POST', headers: { ...headers, 'Content-Length': bytes.length } },
      (response) => {
        response.resume();
        response.once('end', () => {
          resolve(response.statusCode ?? 0);
          sent.destroy();
        });
      },
    );
    sent.once('error', reject);
    if (isRefused) sent.write(bytes.subarray(0, 96 * 1024));
    else sent.end(bytes);
  });
}

/** Links for a file of the largest size, with different texts in each row. */
function* links(prefix: string, extraBytes: number) {
  const bytes = Math.floor(MAX_BYTES / ROWS) - extraBytes;
  for (let row = 0; row < ROWS; row++) {
    const name = `${prefix}-${row}`;
    const url = `https://example.com/${name}/`.padEnd(bytes / 2, name);
    yield { slug: name, url, metadata: JSON.stringify(name.padEnd(bytes / 2 - name.length, name)) };
  }
}

function toCsv(prefix: string): string {
  const rows = [...links(prefix, 24)].map(({ slug, url, metadata }) => `${slug},${url},${quote(metadata)}\n`);
  return `slug,url,metadata\n${rows.join('')}`;
}

function toNdjson(prefix: string): string {
  return [...links(prefix, 48)].map((link) => `${JSON.stringify(link)}\n`).join('');
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
