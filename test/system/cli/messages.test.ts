import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SAY_WHAT_IT_IS } from '../../../src/links/import/mapping.ts';
import { terseOf } from '../../scripts/support/cli.ts';
import { makeFolder, runProcess, strangersEnv } from '../../scripts/support/processes.ts';
import { ROOT } from '../../scripts/support/project.ts';
import { openStub, sendJson, type StubService } from '../../scripts/support/stub-service.ts';

/** Messages of the command for people who use it for the first time. */

let stub: StubService | null = null;
afterEach(() => stub?.close());

const BIN = join(ROOT, 'bin');
const open = async (respond: (response: ServerResponse) => void = (response) => sendJson(response, {})) => {
  stub = await openStub(respond);
  return terseOf(BIN, { TERSE_URL: stub.origin, TERSE_API_KEY: 'tk_of_a_test' });
};
const failed = (code: number, ...lines: readonly string[]) => ({
  code,
  stdout: '',
  stderr: lines.map((line) => `${line}\n`).join(''),
});
const problem = (code: string, detail: string, status = 400) => ({ code, detail, status });

describe('a file', () => {
  it('a file that cannot be read or written is named, with the reason in words', async () => {
    const terse = await open((response) => response.writeHead(200, { 'Content-Type': 'text/csv' }).end('id,url\n'));
    const cwd = makeFolder();
    mkdirSync(join(cwd, 'folder.csv'));
    expect(await terse(['import', 'no.csv'], { cwd })).toEqual(
      failed(1, 'terse: no.csv cannot be read: there is no such file or folder (ENOENT).'),
    );
    expect(await terse(['import', 'folder.csv'], { cwd })).toEqual(
      failed(1, 'terse: folder.csv cannot be read: it is a folder (EISDIR).'),
    );
    expect(await terse(['export', 'no/links.csv'], { cwd })).toEqual(
      failed(1, 'terse: no/links.csv cannot be written: there is no such file or folder (ENOENT).'),
    );
  });

  it('a file that is a workbook is to be saved as CSV', async () => {
    const terse = await open();
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'links.xlsx'), 'PK');
    expect(await terse(['import', 'links.xlsx'], { cwd })).toEqual(
      failed(2, 'terse: "links.xlsx" is a spreadsheet workbook. Save the sheet as CSV, and import that file.'),
    );
  });

  it('a file whose columns are not known can be mapped', async () => {
    const terse = await open((response) =>
      sendJson(response, problem('unknown_field', 'There is no column "A" here. Leave it out.'), 400),
    );
    const refused = await terse(['import', '-', '--type', 'csv'], { stdin: 'A\n' });
    expect(refused).toEqual(
      failed(
        1,
        'terse: There is no column "A" here. Leave it out.',
        'If the file is of another kind, name its columns with --map, such as --map url="Long link".',
      ),
    );
    const mapped = await terse(['import', '-', '--type', 'csv', '--map', 'url=B'], { stdin: 'A\n' });
    expect(mapped).toEqual(failed(1, 'terse: There is no column "A" here. Leave it out.'));
  });

  it('a file that is not recognised is shown with its first row, and how to say what it is with options', async () => {
    const row = ' Its first row is "A": "b".';
    const terse = await open((response) =>
      sendJson(response, problem('unknown_field', `There is no column "A" here. ${SAY_WHAT_IT_IS}${row}`), 400),
    );
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'links.txt'), 'A\nb\n');
    expect(await terse(['import', 'links.txt'], { cwd })).toEqual(
      failed(
        1,
        `terse: There is no column "A" here.${row}`,
        'If another service has written the file, name it with --from, such as --from bitly, or name its columns with --map, such as --map url="Long link".',
      ),
    );
  });

  it('a file that needs to know how it is written says so with the options of the command', async () => {
    for (const [code, sentence, said] of [
      ['invalid_dates', 'Say which one is right: dates=dmy or dates=mdy.', '--dates dmy or --dates mdy.'],
      ['malformed_body', 'Name its encoding, such as charset=windows-1252.', '--charset windows-1252.'],
    ] as const) {
      stub?.close();
      const terse = await open((response) => sendJson(response, problem(code, sentence), 400));
      const { code: exit, stderr } = await terse(['import', '-', '--type', 'csv'], { stdin: 'url' });
      expect([exit, stderr]).toEqual([1, expect.stringContaining(said)]);
    }
  });

  it('a file is sent with how it is written', async () => {
    const terse = await open((response) => sendJson(response, problem('malformed_body', 'Nothing.'), 400));
    const words = ['import', '-', '--type', 'csv', '--dates', 'dmy', '--charset', 'windows-1252'];
    await terse(words, { stdin: 'url' });
    expect(stub?.sent.map(({ url }) => url)).toEqual([expect.stringMatching(/[?&]dates=dmy&charset=windows-1252$/)]);
  });

  it('a file whose links need a host says so with the option of the command', async () => {
    const error = 'unknown_domain: custom_domain bit.ly is not yours. Choose another host, such as host=bit.ly:shared.';
    const results = { created: 0, unchanged: 0, errors: 1, format: { id: 'terse' }, notes: [], skipped: [] };
    const row = { row: 2, status: 'error', error };
    const terse = await open((response) => sendJson(response, { ...results, pending_domains: [], results: [row] }));
    expect((await terse(['import', '-', '--type', 'csv'], { stdin: 'url' })).stderr).toBe(
      'Row 2: custom_domain bit.ly is not yours. Choose another host, such as --host bit.ly:shared.\n',
    );
  });
});

describe('login', () => {
  it('the command login takes the name of a host, for https, or for http on this machine', async () => {
    const terse = await open((response) => sendJson(response, { clients: [{ client_id: 'acme' }] }));
    const env = { XDG_CONFIG_HOME: makeFolder() };
    const { host } = new URL(stub?.origin ?? '');
    expect(await terse(['login', host], { env, stdin: 'tk_key\n' })).toMatchObject({ code: 0, stderr: '' });
    expect(await terse(['login', 'no-such-host.invalid'], { env, stdin: 'tk_key\n' })).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^terse: https:\/\/no-such-host\.invalid cannot be reached: [a-z]/),
    });
    for (const name of ['ftp://go.example.com', 'file:///etc', 'not a host', '']) {
      expect([name, (await terse(['login', name], { env, stdin: 'tk_key\n' })).code]).toEqual([name, 2]);
    }
  });
});

describe('a URL of something else', () => {
  const sorry = () => [
    `terse: ${stub?.origin} does not respond as a Terse service does.`,
    'Check the URL, or sign in with another one: "terse login".',
  ];

  it.each([
    ['a page', (response: ServerResponse) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Hello')],
    ['nothing', (response: ServerResponse) => response.writeHead(204).end()],
  ])('a URL of something else that responds with %s is reported by each command', async (_, respond) => {
    const terse = await open(respond);
    for (const words of [['list'], ['qr', 'abc'], ['export'], ['stats'], ['create', 'https://example.com/']]) {
      expect([words, await terse(words)]).toEqual([words, failed(1, ...sorry())]);
    }
    expect(stub?.sent).toHaveLength(5);
  });

  it('a URL of something else is not signed in to', async () => {
    const terse = await open((response) => sendJson(response, { name: 'another' }));
    const env = { XDG_CONFIG_HOME: makeFolder() };
    const login = () => terse(['login', stub?.origin ?? ''], { env, stdin: 'tk_key\n' });
    expect(await login()).toEqual(failed(1, ...sorry()));
    stub?.close();
    stub = await openStub((response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>No'));
    const notFound = 'terse: The service responded with 404 Not Found.';
    expect(await login()).toEqual(failed(4, notFound, 'Check the URL, or sign in with another one: "terse login".'));
  });
});

describe('a connection that breaks off', () => {
  it('a connection that breaks off is reported also while a link is being found', async () => {
    const terse = await open((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"id":');
      setTimeout(() => response.destroy(), 50);
    });
    expect(await terse(['qr', 'abc'])).toEqual(
      failed(
        5,
        `terse: ${stub?.origin} cannot be reached: the connection broke off (UND_ERR_SOCKET).`,
        'Check the URL and the connection, then try again.',
      ),
    );
  });
});

describe('an error of the service', () => {
  it('an error of the service about the client names the option', async () => {
    const sentence = 'The credential does not belong to this client.';
    const terse = await open((response) => sendJson(response, problem('wrong_client', sentence, 403), 403));
    expect(await terse(['list', '--client', 'other'])).toEqual(
      failed(1, `terse: ${sentence}`, 'Name the client of the key with --client or TERSE_CLIENT.'),
    );
  });
});

describe('the arguments', () => {
  it('the arguments that are too many are reported in one sentence', async () => {
    const terse = await open();
    expect((await terse(['list', 'more'])).stderr).toBe(
      `terse: Too many arguments for 'list'. Expected 0 arguments but got 1. "terse --help" lists commands and options.\n`,
    );
  });

  it('the arguments can ask for the version in short, and tags can have an empty one', async () => {
    const terse = await open((response) => sendJson(response, { id: 'abc', short_url: 'https://go.example.com/abc' }));
    expect((await terse(['-V'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    await terse(['create', 'https://example.com/', '--tags', 'one, ,']);
    expect(JSON.parse(stub?.sent[0]?.body ?? '')).toMatchObject({ tags: ['one'] });
  });
});

// The device that is always full is one of Linux.
describe.runIf(process.platform === 'linux')('an output that cannot be written', () => {
  it('an output that cannot be written ends the command with a sentence', async () => {
    await open((response) => response.writeHead(200, { 'Content-Type': 'text/csv' }).end('id,url\n'));
    const env = { ...strangersEnv(), TERSE_URL: stub?.origin ?? '', TERSE_API_KEY: 'tk_of_a_test' };
    const run = await runProcess('sh', ['-c', `'${BIN}/terse' export > /dev/full`], { cwd: makeFolder(), env });
    expect(run).toEqual(failed(1, 'terse: The output cannot be written: the disk is full (ENOSPC).'));
  });
});
