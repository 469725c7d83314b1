import { copyFileSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { documents, terseOf } from '../../scripts/support/cli.ts';
import { makeFolder } from '../../scripts/support/processes.ts';
import { ROOT } from '../../scripts/support/project.ts';
import { openStub, sendJson, type Sent, type StubService } from '../../scripts/support/stub-service.ts';

/** Input of the command: stdin, names of links, and responses that take long or say that it must stop. */

let stub: StubService | null = null;
afterEach(() => stub?.close());

type Respond = (response: ServerResponse, index: number, sent: Sent) => void;

const open = async (respond: Respond) => {
  stub = await openStub(respond);
  return terseOf(join(ROOT, 'bin'), { TERSE_URL: stub.origin, TERSE_API_KEY: 'tk_of_a_test' });
};
const linkAt = (short_url: string) => ({ id: 'abc', short_url, url: 'https://example.com/', client_id: 'acme' });
const IMPORTED = {
  dry_run: false,
  created: 1,
  unchanged: 0,
  errors: 0,
  format: { id: 'terse', name: 'Terse', by: 'recognised' },
  columns: [],
  notes: [],
  hosts: [],
  pending_domains: [],
  skipped: [],
  results: [],
};

describe('an equal link', () => {
  it('an equal link is asked for with --reuse, of one URL', async () => {
    const terse = await open((response) => sendJson(response, { ...linkAt('https://go.example/abc'), reused: true }));
    const { code, stdout } = await terse(['create', 'https://example.com/', '--reuse']);
    expect([code, stdout]).toEqual([0, 'https://go.example/abc\n']);
    expect(JSON.parse(String(stub?.sent[0]?.bytes))).toEqual({ url: 'https://example.com/', reuse: true });
    const { stderr } = await terse(['create', 'https://example.com/', 'https://example.com/b', '--reuse']);
    expect(stderr).toMatch(/^terse: --reuse is for one URL\./);
    expect(stub?.sent).toHaveLength(1);
  });
});

describe('a file on stdin', () => {
  it('a file on stdin is sent byte for byte, so that the service sees what is not UTF-8', async () => {
    const terse = await open((response) => sendJson(response, IMPORTED));
    const stdin = Buffer.from('url,title\nhttps://example.com/,Gr\u00F6\u00DFe\n', 'latin1');
    expect((await terse(['import', '-', '--type', 'csv'], { stdin })).code).toBe(0);
    expect(stub?.sent[0]?.bytes).toEqual(stdin);
  });

  it('a file on stdin is given more time the larger it is', async () => {
    const terse = await open((response) => void setTimeout(() => sendJson(response, IMPORTED), 1100));
    const stdin = `url\n${`https://example.com/${'x'.repeat(1000)}\n`.repeat(900)}`;
    expect((await terse(['import', '-', '--type', 'csv', '--timeout', '1'], { stdin })).code).toBe(0);
  });
});

describe('what is not kept of a file, or not valid', () => {
  it('an error of a file is reported once for all rows that have it', async () => {
    const total = 'Of its clicks only the total is kept.';
    const banned = 'It was banned: it is created disabled.';
    const row = (number: number, notes: readonly string[]) => ({ row: number, status: 'created', notes });
    const results = [row(2, [total]), row(3, [banned, total]), ...[5, 6, 7].map((number) => row(number, [total]))];
    const skipped = [{ row: 4, reason: 'The link was deleted.' }];
    const errors = ['url', 'slug'].map((field) => ({ field, detail: `${field} is wrong.` }));
    const refused = [8, 9].map((number) => ({ row: number, status: 'error', error: 'x: url is wrong.', errors }));
    const all = { ...IMPORTED, created: 5, errors: 2, skipped, results: [...refused, ...results] };
    const terse = await open((response) => sendJson(response, all));
    expect(await terse(['import', '-', '--type', 'csv'], { stdin: 'url' })).toEqual({
      code: 1,
      stdout: '5 created, 0 unchanged, 2 with errors, 1 skipped\n',
      stderr:
        `Row 4: Skipped: The link was deleted.\nRows 2, 3, 5 and 2 more: ${total}\nRow 3: ${banned}\n` +
        'Rows 8, 9: url is wrong.\n  url: url is wrong.\n  slug: slug is wrong.\n',
    });
  });
});

describe('the name of a link', () => {
  it('the name of a link can be a slug of several segments', async () => {
    const terse = await open((response, _index, { url }) => {
      const { searchParams } = new URL(url, 'http://localhost');
      const links = searchParams.get('slug') === 'docs/intro' ? [linkAt('https://go.example.com/docs/intro')] : [];
      sendJson(response, { links, cursor: null, scanned_to: null });
    });
    for (const name of ['docs/intro', 'docs/intro/', 'go.example.com/docs/intro']) {
      const { code, stdout } = await terse(['qr', name, '--json']);
      expect({ code, url: JSON.parse(stdout).short_url }).toEqual({
        code: 0,
        url: 'https://go.example.com/docs/intro',
      });
    }
    const unknown = await terse(['qr', 'go.example.com/other']);
    expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining('no link "go.example.com/other"') });
  });

  it('the name of a link can have a slash before and after it', async () => {
    const terse = await open((response, _index, { url }) =>
      url === '/v1/links/abc'
        ? sendJson(response, linkAt('https://go.example.com/abc'))
        : sendJson(response, { code: 'not_found', detail: 'There is no such link.', status: 404 }, 404),
    );
    for (const name of ['abc/', '/abc', '/abc/']) expect([name, (await terse(['qr', name])).code]).toEqual([name, 0]);
    expect((await terse(['qr', '/'])).code).toBe(2);
  });

  it('the command open starts no browser for what is not http or https', async () => {
    const terse = await open((response) => sendJson(response, linkAt('file:///etc/passwd')));
    expect(await terse(['open', 'abc'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'terse: file:///etc/passwd is not an http or https URL, and is not opened.\n',
    });
  });
});

describe('URLs on stdin', () => {
  it('URLs on stdin after a limit are counted, and the next one is named', async () => {
    const terse = await open((response, index, { body }) => {
      if (index === 0) {
        const { links } = JSON.parse(body) as { links: { url: string }[] };
        const results = links.map((_, at) => ({ outcome: 'created', link: linkAt(`https://go.example.com/${at}`) }));
        return sendJson(response, { results });
      }
      response.setHeader('Retry-After', '60');
      sendJson(response, { code: 'too_many_requests', detail: 'The limit is reached.' }, 429);
    });
    const stdin = Array.from({ length: 150 }, (_, at) => `https://example.com/${at}\n`).join('');
    const sentence = '100 of 150 URLs are done; the next one is https://example.com/100 (line 101).';
    const { code, stdout, stderr } = await terse(['create', '-'], { stdin });
    expect({ code, lines: stdout.split('\n').length - 1, stderr }).toEqual({
      code: 5,
      lines: 100,
      stderr: `terse: The limit is reached.\nTry again in 60 s. ${sentence}\n`,
    });
  });
});

describe('URLs whose creation has no response', () => {
  it('URLs whose creation has no response are reported as perhaps existing, with the first of them', async () => {
    const terse = await open((response, index, { body }) => {
      const { links } = JSON.parse(body) as { links: object[] };
      const result = { outcome: 'created', link: linkAt('https://go.example.com/a') };
      if (index === 0) sendJson(response, { results: links.map(() => result) });
      else response.destroy();
    });
    const stdin = Array.from({ length: 150 }, (_, at) => `https://example.com/${at}\n`).join('');
    const { code, stderr } = await terse(['create', '-'], { stdin });
    expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 5,
      last: expect.stringMatching(
        / 100 of 150 URLs are done; the next 50 may have links too, from https:\/\/example\.com\/100 \(line 101\) on\.$/,
      ),
    });
  });
});

describe('an error of a URL on stdin', () => {
  const TAKEN = { code: 'slug_taken', detail: 'The slug is taken.', status: 409 };
  const refused = { outcome: 'refused', status: 400, error: 'invalid_url: url must be an absolute http or https URL.' };
  const created = { outcome: 'created', link: linkAt('https://go.example.com/a') };
  const openBatches = (failAt: number, fail: (response: ServerResponse) => void) =>
    open((response, index, { body }) => {
      if (index >= failAt) return fail(response);
      const { links } = JSON.parse(body) as { links: { url: string }[] };
      sendJson(response, { results: links.map(({ url }) => (url.startsWith('http') ? created : refused)) });
    });

  it('an error of a URL on stdin names its line, with blank lines counted, also in JSON', async () => {
    const terse = await openBatches(Infinity, () => undefined);
    const stdin = '\uFEFFhttps://example.com/1\r\n\r\n  \nnonsense\r\nhttps://example.com/2\n\nmore nonsense';
    const sentence = 'url must be an absolute http or https URL.';
    const { code, stdout, stderr } = await terse(['create', '-'], { stdin });
    expect([code, stdout.split('\n').length - 1]).toEqual([1, 2]);
    expect(stderr).toBe(`terse: Line 4: nonsense: ${sentence}\nterse: Line 7: more nonsense: ${sentence}\n`);
    const json = await terse(['create', '-', '--json'], { stdin });
    expect(documents(json.stderr)).toEqual(
      [
        { line: 4, url: 'nonsense' },
        { line: 7, url: 'more nonsense' },
      ].map((place) => ({
        error: {
          code: 'invalid_url',
          message: sentence,
          status: 400,
          fields: [],
          remedy: null,
          request_id: null,
          ...place,
        },
      })),
    );
  });

  it('an error of a URL on stdin counts lines that end with a carriage return alone', async () => {
    const terse = await openBatches(Infinity, () => undefined);
    const { stdout, stderr } = await terse(['create', '-'], { stdin: 'https://example.com/1\rnonsense\r\rmore' });
    expect(stdout.split('\n').length - 1).toBe(1);
    expect(stderr).toMatch(/^terse: Line 2: nonsense: .*\nterse: Line 4: more: .*\n$/);
  });

  it('an error of a URL on stdin names no line for a URL that is an argument', async () => {
    const terse = await openBatches(Infinity, () => undefined);
    const sentence = 'url must be an absolute http or https URL.';
    const { stderr } = await terse(['create', 'first', '-'], { stdin: '\nsecond\n' });
    expect(stderr).toBe(`terse: first: ${sentence}\nterse: Line 2: second: ${sentence}\n`);
  });

  it('an error of a URL on stdin names the line of the only URL too', async () => {
    const terse = await open((response) => sendJson(response, TAKEN, 409));
    const stdin = '\n\nhttps://example.com/\n';
    const words = ['create', '-', '--slug', 'sale'];
    const failed = { code: 1, stdout: '', stderr: 'terse: Line 3: https://example.com/: The slug is taken.\n' };
    expect(await terse(words, { stdin })).toEqual(failed);
    expect(JSON.parse((await terse([...words, '--json'], { stdin })).stderr)).toMatchObject({
      error: { code: 'slug_taken', message: 'The slug is taken.', url: 'https://example.com/', line: 3 },
    });
    const { stderr } = await terse(['create', 'https://example.com/', '--slug', 'sale']);
    expect(stderr).toBe('terse: The slug is taken.\n');
  });

  it('an error of a URL on stdin that stops the rest says how many are done, and the line to continue with', async () => {
    const busy = (response: ServerResponse) =>
      sendJson(response, { code: 'store_unavailable', detail: 'The database does not respond.', status: 503 }, 503);
    const urls = Array.from({ length: 101 }, (_, at) => `https://example.com/${at}`);
    const stdin = `\n${urls.join('\n\n')}\n`;
    const terse = await openBatches(1, busy);
    const { code, stdout, stderr } = await terse(['create', '-'], { stdin });
    expect([code, stdout.split('\n').length - 1]).toEqual([5, 100]);
    expect(stderr).toBe(
      'terse: The database does not respond.\n' +
        '100 of 101 URLs are done; the next one is https://example.com/100 (line 202).\n',
    );
  });

  it('an error of a URL on stdin whose creation has no response says that it may have a link, with the line', async () => {
    const terse = await open((response) => response.destroy());
    const remedy = 'Check the URL and the connection, then try again.';
    const one = await terse(['create', '-'], { stdin: '\n\nhttps://example.com/a\n' });
    const ofOne = `${remedy} 0 of 1 URLs are done; https://example.com/a (line 3) may have a link too.`;
    expect([one.code, one.stderr.trimEnd().split('\n').at(-1)]).toEqual([5, ofOne]);
    const two = await terse(['create', '-', '--json'], { stdin: '\nhttps://example.com/a\n\nhttps://example.com/b' });
    const ofTwo = `${remedy} 0 of 2 URLs are done; the next 2 may have links too, from https://example.com/a (line 2) on.`;
    expect(JSON.parse(two.stderr)).toMatchObject({ error: { code: 'unreachable', remedy: ofTwo, line: 2 } });
    const argument = await terse(['create', 'https://example.com/a']);
    expect(argument.stderr.trimEnd().split('\n').at(-1)).toBe(remedy);
  });

  it('an error of a URL on stdin that stops at once says so too, in JSON with the line', async () => {
    const terse = await openBatches(0, (response) => {
      response.setHeader('Retry-After', '60');
      sendJson(response, { code: 'too_many_requests', detail: 'The limit is reached.', status: 429 }, 429);
    });
    for (const [stdin, urls] of [
      ['\nhttps://example.com/1\n', 1],
      ['\nhttps://example.com/1\nhttps://example.com/2\n', 2],
    ] as const) {
      const progress = `0 of ${urls} URLs are done; the next one is https://example.com/1 (line 2).`;
      expect(await terse(['create', '-'], { stdin })).toEqual({
        code: 5,
        stdout: '',
        stderr: `terse: The limit is reached.\nTry again in 60 s. ${progress}\n`,
      });
      expect(JSON.parse((await terse(['create', '-', '--json'], { stdin })).stderr)).toMatchObject({
        error: { code: 'too_many_requests', remedy: `Try again in 60 s. ${progress}`, line: 2 },
      });
    }
  });
});

describe('text on stdin', () => {
  it('text on stdin that is not UTF-8 is refused, and a byte order mark is left out', async () => {
    const terse = await open((response) => sendJson(response, linkAt('https://go.example.com/abc'), 201));
    const url = 'https://example.com/\u00FC\n';
    expect(await terse(['create', '-'], { stdin: Buffer.from(url, 'latin1') })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'terse: Line 1: Standard input is not valid UTF-8.\n',
    });
    const third = Buffer.from(`https://example.com/1\n\n${url}${url}`, 'latin1');
    expect((await terse(['create', '-'], { stdin: third })).stderr).toBe(
      'terse: Line 3: Standard input is not valid UTF-8.\n',
    );
    const { error } = JSON.parse((await terse(['create', '-', '--json'], { stdin: third })).stderr);
    expect(error).toMatchObject({ code: 'invalid_encoding', message: 'Standard input is not valid UTF-8.', line: 3 });
    expect(stub?.sent).toEqual([]);
    expect((await terse(['create', '-'], { stdin: `\uFEFF${url}` })).code).toBe(0);
    expect(JSON.parse(stub?.sent[0]?.body ?? '')).toEqual({ url: url.trim() });
  });
});

describe('export -', () => {
  it('the command export - writes to stdout', async () => {
    const terse = await open((response) => response.writeHead(200, { 'Content-Type': 'text/csv' }).end('id,url\n'));
    expect(await terse(['export', '-'])).toEqual({ code: 0, stdout: 'id,url\n', stderr: '' });
  });
});

describe('bin/terse', () => {
  it('bin/terse bundles again after a file that the bundle includes has changed, also outside of cli/', async () => {
    const folder = makeFolder();
    for (const name of ['bin', 'cli/src', 'src']) mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['bin/terse', 'LICENSE', 'cli/package.json', 'cli/build.mjs', 'cli/run.mjs'])
      copyFileSync(join(ROOT, name), join(folder, name));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'src/word.ts'), "export const WORD = 'first';\n");
    writeFileSync(join(folder, 'cli/src/main.ts'), "import { WORD } from '../../src/word.ts';\nconsole.log(WORD);\n");
    const terse = terseOf(join(folder, 'bin'));
    expect((await terse([])).stdout).toBe('first\n');
    writeFileSync(join(folder, 'src/word.ts'), "export const WORD = 'second';\n");
    const later = Date.now() / 1000 + 5;
    utimesSync(join(folder, 'src/word.ts'), later, later);
    expect((await terse([])).stdout).toBe('second\n');
    expect(readFileSync(join(folder, 'cli/dist/terse.js'), 'utf8')).toContain('second');
  });
});
