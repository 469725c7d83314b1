import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { fit, plain, widthOf } from '../../../cli/src/text.ts';
import { widthsOf } from '../../../cli/src/table.ts';
import { scanLines } from '../../support/qr.ts';
import { terseOf } from '../../scripts/support/cli.ts';
import { makeFolder } from '../../scripts/support/processes.ts';
import { ROOT } from '../../scripts/support/project.ts';
import { openStub, sendJson, type StubService } from '../../scripts/support/stub-service.ts';

/** The command in a terminal. Programs of tests have none: their pipes are made to look like one. */

const STAND_IN = pathToFileURL(join(ROOT, 'test/scripts/support/terminal-stand-in.mjs')).href;

let stub: StubService;
afterEach(() => stub?.close());

const open = async (document: unknown, columns = 60) => {
  stub = await openStub((response) => sendJson(response, document));
  return terseOf(join(ROOT, 'bin'), {
    TERSE_URL: stub.origin,
    TERSE_API_KEY: 'tk_of_a_test',
    TERM: 'xterm',
    NODE_OPTIONS: `--import=${STAND_IN}`,
    TERMINAL_COLUMNS: String(columns),
  });
};

const HOSTILE = '\u001B]0;owned\u0007\u001B[31mred\u001B[0m\r\n\u009B2J\u202Eevil\u2069\u0000\u200B.';
const link = (url: string) => ({
  id: 'abc',
  short_url: 'https://go.example.com/abc',
  url,
  clicks: 1234,
  humans: 1000,
  state: 'active',
  created_at: '2026-11-24T10:00:00.000Z',
  client_id: 'acme',
});
const page = (...links: object[]) => ({ links, cursor: null, scanned_to: null });

describe('a text of other people', () => {
  it('a text of other people has no escape sequences, control characters, line breaks and marks of direction', () => {
    expect(plain(HOSTILE)).toBe('red evil.');
    expect(plain('Grüße, 世界 👋')).toBe('Grüße, 世界 👋');
  });

  it('a text of other people is harmless in the table and in an error', async () => {
    const terse = await open(page(link(`https://example.com/${HOSTILE}`)));
    const { stdout } = await terse(['list'], { env: { NO_COLOR: '1', TERMINAL_COLUMNS: '90' } });
    expect(stdout).toContain('https://example.com/red evil.');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
    stub.close();
    stub = await openStub((response) => sendJson(response, { code: 'x', detail: HOSTILE }, 400));
    const refused = await terse(['list'], { env: { TERSE_URL: stub.origin } });
    expect(refused.stderr).toBe('terse: red evil.\n');
  });

  it('a text of other people is escaped in JSON, and a program reads it as it is', async () => {
    const terse = await open(page(link(HOSTILE)));
    const { stdout } = await terse(['list', '--json']);
    expect(stdout.trimEnd()).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(JSON.parse(stdout)).toEqual(link(HOSTILE));
    stub.close();
    stub = await openStub((response) => sendJson(response, { code: 'x', detail: HOSTILE }, 400));
    const { stderr } = await terse(['list', '--json'], { env: { TERSE_URL: stub.origin } });
    expect(stderr.trimEnd()).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(JSON.parse(stderr)).toMatchObject({ error: { message: HOSTILE } });
  });

  it('a text of other people takes as many columns as it says', () => {
    expect([widthOf('abc'), widthOf('世界'), widthOf('👋'), widthOf('e\u0301')]).toEqual([3, 4, 2, 1]);
    expect([fit('abcdef', 4), fit('世界世界', 4), fit('abc', 3)]).toEqual(['abc…', '世…', 'abc']);
  });
});

describe('a table', () => {
  it('a table in a terminal fits the terminal, with a bold header unless NO_COLOR is set', async () => {
    const terse = await open(page(link(`https://example.com/${'long/'.repeat(30)}`)));
    const { stdout } = await terse(['list'], { env: { NO_COLOR: '1' } });
    expect(stdout).toBe(
      'SHORT LINK          DESTINATION           CLICKS  CREATED\n' +
        'go.example.com/abc  https://example.com…    1234  2026-11-24\n',
    );
    expect((await terse(['list'])).stdout).toContain('\u001B[1mSHORT LINK');
  });

  it('a table in a terminal has the number that it is ordered by', async () => {
    const terse = await open(page(link('https://example.com/')), 80);
    const listed = async (sort: string) => (await terse(['list', '--sort', sort], { env: { NO_COLOR: '1' } })).stdout;
    expect(await listed('clicks')).toMatch(/ CLICKS .*\n.* 1234 /);
    expect(await listed('humans')).toMatch(/ HUMANS .*\n.* 1000 /);
  });

  it('a table in a terminal leaves out columns that a narrow terminal has no room for, and never cuts short links', async () => {
    const terse = await open(page(link('https://example.com/a/long/page')));
    const listed = async (columns: number) =>
      (await terse(['list'], { env: { NO_COLOR: '1', TERMINAL_COLUMNS: String(columns) } })).stdout.split('\n');
    expect((await listed(45)).every((row) => row.length <= 45)).toBe(true);
    expect((await listed(45))[0]).toMatch(/^SHORT LINK +DESTINATION +CLICKS$/);
    expect((await listed(34))[0]).toMatch(/^SHORT LINK +DESTINATION$/);
    expect(await listed(15)).toEqual(['SHORT LINK', 'go.example.com/abc', '']);
  });

  it('a table in a terminal has readable addresses, unless they would hide something', async () => {
    const rows = ['%E6%97%A5%E6%9C%AC', 'a%20b', '%E2%80%AEx', '%FF'].map((path) => ({
      ...link(`https://example.com/${path}`),
      short_url: `https://go.example.com/${path}`,
    }));
    const terse = await open(page(...rows));
    const { stdout } = await terse(['list'], { env: { TERMINAL_COLUMNS: '120' } });
    const shown = stdout
      .split('\n')
      .slice(1, -1)
      .map((row) => row.split(/ +/).slice(0, 2));
    expect(shown).toEqual(
      ['日本', 'a%20b', '%E2%80%AEx', '%FF'].map((path) => [`go.example.com/${path}`, `https://example.com/${path}`]),
    );
  });

  it('a table in a terminal gives the flexible column what is left, and not more than it needs', () => {
    const columns = [{ title: 'A' }, { title: 'B', isFlexible: true }];
    expect(widthsOf(columns, [['aaaa', 'b'.repeat(100)]], 40)).toEqual([4, 34]);
    expect(widthsOf(columns, [['aaaa', 'bbb']], 40)).toEqual([4, 3]);
  });
});

describe('a chart', () => {
  const sums = { total: 1234, humans: 1000, bots: 200, previews: 34 };
  const days = { from: '2026-11-18', to: '2026-11-24', filtered_from: null };
  const rows = [
    { key: 'a-long-name-of-a-referrer.example.com', ...sums },
    { key: null, total: 7 },
  ];
  const stats = { ...days, tz: 'UTC', ...sums, visitors: null, rows, cursor: null };

  it('a chart in a terminal fits the terminal, also a narrow one', async () => {
    const terse = await open({ ...stats, compare: { ...days, ...sums, bots: 100 } });
    const drawn = async (columns: number) =>
      (await terse(['stats', '--by', 'referrer'], { env: { NO_COLOR: '1', TERMINAL_COLUMNS: String(columns) } }))
        .stdout;
    for (const columns of [34, 50, 80]) {
      const lines = (await drawn(columns)).split('\n');
      expect([columns, lines.filter((line) => widthOf(line) > columns)]).toEqual([columns, []]);
    }
    expect(await drawn(34)).toContain(
      'Clicks    1,234  ±0%\nHumans    1,000  ±0%\nBots        200  +100%\nPreviews     34  ±0%\n' +
        'against 2026-11-18 to 2026-11-24\n',
    );
    expect(await drawn(80)).toMatch(/^Clicks +Humans +Bots +Previews\n1,234 +1,000 +200 +34\n/m);
  });
});

describe('a QR code', () => {
  it('a QR code is black on white, and is refused where the terminal is too narrow for it', async () => {
    const terse = await open(link('https://example.com/'));
    const { stdout } = await terse(['qr', 'abc']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.every((line) => line.startsWith('\u001B[38;5;16;48;5;231m') && line.endsWith('\u001B[0m'))).toBe(true);
    // With colours the dark modules are drawn.
    const swapped = lines.map((line) =>
      line.slice('\u001B[38;5;16;48;5;231m'.length, -4).replaceAll(/[ ▀▄█]/g, (block) => SWAPPED[block] ?? ''),
    );
    expect(scanLines(swapped)).toBe('https://go.example.com/abc?via=qr');
    expect(await terse(['qr', 'abc'], { env: { TERMINAL_COLUMNS: '20' } })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^terse: The code takes 37 columns, and the terminal has 20\./),
    });
  });
});

describe('login in a terminal', () => {
  it('the command login in a terminal asks for the URL and for the key, and does not show what is typed of the key', async () => {
    const terse = await open({ clients: [{ client_id: 'acme' }] });
    const home = makeFolder();
    const env = { XDG_CONFIG_HOME: home };
    const { code, stderr } = await terse(['login'], { env, stdin: `${stub.origin}\rtk_secrx\u007Fet\r` });
    expect(code).toBe(0);
    expect(stderr).toBe(
      `URL of the service: <raw>${stub.origin}<cooked>\nAPI key for ${stub.origin} (not shown): <raw><cooked>\n`,
    );
    expect(JSON.parse(readFileSync(join(home, 'terse/config.json'), 'utf8'))).toEqual({
      url: stub.origin,
      key: 'tk_secret',
      client: 'acme',
    });
  });

  it('the command login in a terminal restores the terminal at Ctrl-C, and stores nothing', async () => {
    const terse = await open({});
    const { code, stderr } = await terse(['login', stub.origin], { stdin: 'tk_\u0003' });
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringMatching(/<raw>\n<cooked>$/) });
    expect(stub.sent).toEqual([]);
  });
});

const SWAPPED: Readonly<Record<string, string>> = { ' ': '█', '▀': '▄', '▄': '▀', '█': ' ' };
