import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { scanLines, scanPng } from '../support/qr.ts';
import { documents, installCli, terseOf, type Terse } from '../scripts/support/cli.ts';
import { makeFolder, runProcess, strangersEnv, until } from '../scripts/support/processes.ts';
import { copyProject, printedAccount } from '../scripts/support/project.ts';
import { ask, startServer, type Server } from '../scripts/support/server.ts';
import { blocksThatNeed } from '../scripts/support/shell-blocks.ts';

/** The command for callers, installed from its package, on a service that was started as users start it. */

let bin: string;
let server: Server;
let apiKey: string;
let terse: Terse;
let home: string;

beforeAll(async () => {
  bin = await installCli();
  server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
  ({ apiKey } = printedAccount(server.output()));
  home = makeFolder();
  terse = terseOf(bin, { XDG_CONFIG_HOME: home });
  expect(await terse(['login', server.origin], { stdin: `${apiKey}\n` })).toMatchObject({ code: 0, stderr: '' });
});

const done = (stdout: unknown) => ({ code: 0, stdout, stderr: '' });
const create = async (url: string, ...options: string[]): Promise<Record<string, unknown>> => {
  const { stdout } = await terse(['create', url, ...options, '--json']);
  return JSON.parse(stdout);
};

describe('the package', () => {
  it('the package has no dependencies, the licences of what it contains, and runs on the Node of PATH', async () => {
    const folder = join(bin, '../terse-cli');
    const { dependencies, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    const licences = readFileSync(join(folder, 'dist/LICENSES.txt'), 'utf8');
    for (const name of ['commander-14', 'get-east-asian-width', 'openapi-fetch', 'qr']) {
      expect(licences).toContain(`\n${name}\n`);
    }
    expect(await terse(['--version'])).toEqual(done(`${version}\n`));
  });

  it.each(['login', 'create', 'list', 'stats', 'qr', 'import', 'export', 'lookup', 'open'])(
    'the package explains %s, and its version is that of the package',
    async (name) => {
      expect(await terse([name, '--help'])).toEqual(done(expect.stringMatching(`^Usage: terse ${name} `)));
      expect(await terse([name, '--version'])).toEqual(await terse(['--version']));
    },
  );
});

describe('login', () => {
  it('the command login stores the key in a file of its owner alone, and the next command uses it', async () => {
    const file = join(home, 'terse/config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url: server.origin, key: apiKey, client: 'default' });
    expect((await terse(['list'])).code).toBe(0);
  });

  it('the command login refuses a key that the service does not know, and keeps what was stored', async () => {
    const refused = await terse(['login', server.origin, '--json'], { stdin: 'tk_unknown\n' });
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { status: 401, request_id: expect.any(String) } });
    expect((await terse(['list'])).code).toBe(0);
  });

  it('the command login refuses a file that others can read, and says what to do', async () => {
    const other = makeFolder();
    const env = { XDG_CONFIG_HOME: other };
    const file = join(other, 'terse/config.json');
    await terse(['login', server.origin], { stdin: `${apiKey}\n`, env });
    chmodSync(file, 0o644);
    expect(await terse(['list'], { env })).toEqual({
      code: 3,
      stdout: '',
      stderr:
        `terse: Others on this machine can read ${file} (mode 644), which has your key.\n` +
        `Run: chmod 600 '${file}'. If others may have read the key, revoke it and sign in with a new one.\n`,
    });
    chmodSync(file, 0o600);
    expect((await terse(['list'], { env })).code).toBe(0);
  });

  it('the command login is not needed with TERSE_URL and TERSE_API_KEY', async () => {
    const env = { XDG_CONFIG_HOME: makeFolder(), TERSE_URL: server.origin, TERSE_API_KEY: apiKey };
    expect((await terse(['list'], { env })).code).toBe(0);
    expect(await terse(['list'], { env: { XDG_CONFIG_HOME: makeFolder() } })).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('create', () => {
  it('the command create prints the short link, with all that was named', async () => {
    const link = await create('https://example.com/all', '--slug', 'all', '--title', 'All', '--tags', 'one, two');
    expect(link).toMatchObject({ short_url: `${server.origin}/all`, title: 'All', tags: ['one', 'two'] });
    const { stdout } = await terse(['create', 'https://example.com/', '--campaign', 'cli', '--expires', '7d']);
    expect((await ask(stdout.trim())).headers['location']).toBe('https://example.com/');
  });

  it('the command create creates several, from stdin too, and says which could not be created', async () => {
    const urls = ['https://example.com/1', 'nonsense', 'https://example.com/2'];
    const { code, stdout, stderr } = await terse(['create', '-'], { stdin: urls.join('\n') });
    expect({ code, links: stdout.trim().split('\n').length }).toEqual({ code: 1, links: 2 });
    expect(stderr).toBe(
      'terse: Line 2: nonsense: url must be an absolute http or https URL, such as https://example.com/page.\n',
    );
    const many = Array.from({ length: 101 }, (_, index) => `https://example.com/many/${index}`);
    const made = await terse(['create', '-', '--json'], { stdin: many.join('\n') });
    expect({ code: made.code, urls: documents(made.stdout).map(({ url }) => url) }).toEqual({ code: 0, urls: many });
  });

  it('the command create names the fields that are wrong by their options, or as JSON', async () => {
    const words = ['create', 'https://example.com/', '--slug', 'he llo', '--redirect-status', '300'];
    const { code, stdout, stderr } = await terse(words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^terse: slug must be /),
      expect.stringMatching(/^ {2}--slug: slug must be /),
      '  --redirect-status: redirect_status must be 301, 302, 307 or 308.',
      '',
    ]);
    expect(JSON.parse((await terse([...words, '--json'])).stderr)).toMatchObject({
      error: { code: 'invalid_slug', status: 400, fields: [{ field: 'slug' }, { field: 'redirect_status' }] },
    });
  });
});

describe('list', () => {
  it('the command list prints links on lines with tabs, and all of them as NDJSON', async () => {
    const { short_url, url, created_at } = await create('https://example.com/listed', '--tags', 'listed');
    expect(await terse(['list', '--tag', 'listed'])).toEqual(done(`${[short_url, url, 0, created_at].join('\t')}\n`));
    expect(documents((await terse(['list', '--tag', 'listed', '--json'])).stdout)).toMatchObject([{ url, clicks: 0 }]);
    expect(documents((await terse(['list', '--all', '--json'])).stdout).length).toBeGreaterThan(100);
    expect(documents((await terse(['list', '--limit', '3', '--json'])).stdout)).toHaveLength(3);
  });
});

describe('stats', () => {
  it('the command stats shows sums, bars and the change, or the document of the API', async () => {
    const { short_url, id } = await create('https://example.com/counted', '--slug', 'counted');
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    for (let click = 0; click < 3; click++) await ask(String(short_url), { headers });
    const total = async () => JSON.parse((await terse(['stats', 'counted', '--json'])).stdout).total;
    await until('the clicks are counted', async () => (await total()) === 3);
    const { code, stdout } = await terse(['stats', String(short_url), '--period', '7d']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Clicks +Humans +Bots +Previews\n3 /m);
    expect(stdout).toMatch(/^new .* against \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/m);
    expect(stdout).toMatch(/^Daily visitors: 1, /m);
    expect(stdout.match(/^\d{4}-\d\d-\d\d +\d/gm)).toHaveLength(7);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d +3 +█+$/m);
    const named = JSON.parse((await terse(['stats', `${server.origin}/counted`, '--by', 'link', '--json'])).stdout);
    expect(named).toMatchObject({ link: { id }, by: 'link', total: 3, compare: { total: 0 } });
    expect(JSON.parse((await terse(['stats', '--filter', 'visitor=human', '--json'])).stdout)).toMatchObject({
      bots: 0,
    });
    expect((await terse(['stats', '--filter', 'colour=red'])).code).toBe(2);
    expect((await terse(['stats', 'no-such-link'])).code).toBe(4);
  });
});

describe('qr', () => {
  it('the command qr draws a code that a scanner reads from the lines of the terminal', async () => {
    const { short_url, id } = await create('https://example.com/scanned');
    const { code, stdout } = await terse(['qr', String(id)]);
    expect({ code, read: scanLines(stdout.trimEnd().split('\n')) }).toEqual({
      code: 0,
      read: `${String(short_url)}?via=qr`,
    });
    const { modules } = JSON.parse((await terse(['qr', String(id), '--json'])).stdout);
    expect(modules).toHaveLength(modules[0].length);
  });

  it('the command qr writes the code to files', async () => {
    const { short_url } = await create('https://example.com/drawn');
    const cwd = makeFolder();
    expect((await terse(['qr', String(short_url), '--png', 'a.png'], { cwd })).stderr).toBe('');
    expect(scanPng(readFileSync(join(cwd, 'a.png')))).toBe(`${String(short_url)}?via=qr`);
    expect(await terse(['qr', String(short_url), '--svg', '-'])).toEqual(done(expect.stringMatching(/^<svg /)));
  });
});

describe('the name of a link', () => {
  it('a link is named by its id, its slug or its short link, and never by nothing', async () => {
    const { id, short_url } = await create('https://example.com/named', '--slug', 'named');
    for (const name of [id, 'named', short_url, `${String(short_url)}/`, String(short_url).replace('http://', '')]) {
      const { code, stdout } = await terse(['stats', String(name), '--json']);
      expect([name, code, JSON.parse(stdout).link.id]).toEqual([name, 0, id]);
    }
    for (const name of ['', `${server.origin}/`, server.origin]) {
      expect([name, await terse(['stats', name])]).toEqual([
        name,
        { code: 2, stdout: '', stderr: 'terse: Name a link by its id, its slug or its whole short link.\n' },
      ]);
    }
  });
});

describe('lookup', () => {
  it('the command lookup shows the title and the preview of a destination', async () => {
    const site = createServer((request, response) => {
      const page = '<head><title>Sale\u{1b}[31m</title><meta property="og:image" content="/a.png"></head>';
      response.writeHead(request.url === '/sale' ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
    });
    onTestFinished(() => void site.close());
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    expect(await terse(['lookup', `${url}/sale`])).toEqual(done(`Title: Sale [31m\nImage: ${url}/a.png\n`));
    const { code, stdout } = await terse(['lookup', `${url}/none`, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { status: 404, title: null, description: null, image: null }]);
    expect(await terse(['lookup', `${url}/none`])).toEqual(
      done('The destination has responded with the status 404, without a title.\n'),
    );
    expect(await terse(['lookup', server.origin])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('leads to a host of this service'),
    });
  });
});

describe('open', () => {
  it('the command open starts the browser with the short link, or with its page', async () => {
    const { short_url, id } = await create('https://example.com/opened');
    const cwd = makeFolder();
    for (const name of ['xdg-open', 'open']) {
      writeFileSync(join(cwd, name), '#!/bin/sh\nprintf %s "$1" > opened\n', { mode: 0o755 });
    }
    const env = { PATH: `${cwd}:${bin}:${strangersEnv().PATH}` };
    expect((await terse(['open', String(id), '--json'], { cwd, env })).code).toBe(0);
    expect(readFileSync(join(cwd, 'opened'), 'utf8')).toBe(short_url);
    expect((await terse(['open', String(id), '--page'], { cwd, env })).code).toBe(0);
    const opened = readFileSync(join(cwd, 'opened'), 'utf8');
    expect(opened).toBe(`${server.origin}/platform/c/default/links/${String(id)}`);
    expect((await ask(opened)).status).toBe(303);
  });

  it('the command open does not wait until the browser is closed, and says if there is none', async () => {
    await create('https://example.com/browser', '--slug', 'browser');
    const cwd = makeFolder();
    const openers = (script: string) => {
      for (const name of ['xdg-open', 'open'])
        writeFileSync(join(cwd, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    };
    const env = { PATH: `${cwd}:${bin}:${strangersEnv().PATH}` };
    openers('for _ in $(seq 600); do [ -e closed ] && exit; sleep 0.1; done');
    expect((await terse(['open', 'browser'], { cwd, env })).code).toBe(0);
    writeFileSync(join(cwd, 'closed'), '');
    openers('exit 3');
    const stderr = `terse: No browser could be opened for ${server.origin}/browser.\n`;
    expect(await terse(['open', 'browser'], { cwd, env })).toEqual({ code: 1, stdout: '', stderr });
  });
});

describe('docs/cli.md', () => {
  const blocks = blocksThatNeed('cli');

  it('docs/cli.md has blocks of commands', () => {
    expect(blocks.length).toBeGreaterThan(2);
    expect(new Set(blocks.map(({ page }) => page))).toEqual(new Set(['docs/cli.md']));
  });

  it.each(blocks)('docs/cli.md has a block that works: $text', async ({ text }) => {
    await terse(['create', 'https://example.com/spring', '--slug', 'spring']);
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'links.csv'), 'url\nhttps://example.com/from-a-file\n');
    writeFileSync(join(cwd, 'urls.txt'), 'https://example.com/one\nhttps://example.com/two\n');
    const env = { ...strangersEnv(), XDG_CONFIG_HOME: home };
    const where = { cwd, env: { ...env, PATH: `${bin}:${env.PATH}` } };
    const { code, stderr } = await runProcess('sh', ['-ec', text], where);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });
});
