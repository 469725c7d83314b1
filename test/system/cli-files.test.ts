import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { documents, terseOf, type Terse } from '../scripts/support/cli.ts';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject, printedAccount, ROOT } from '../scripts/support/project.ts';
import { ask, startServer, type Server } from '../scripts/support/server.ts';

/** Files that the command for callers reads and writes. */

let server: Server;
let terse: Terse;

beforeAll(async () => {
  server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
  const { apiKey } = printedAccount(server.output());
  terse = terseOf(join(ROOT, 'bin'), { TERSE_URL: server.origin, TERSE_API_KEY: apiKey });
});

const done = (stdout: unknown) => ({ code: 0, stdout, stderr: '' });

describe('export and import', () => {
  it('the commands export and import exports to a file and to stdout, and imports what is exported', async () => {
    const cwd = makeFolder();
    expect((await terse(['create', 'https://example.com/exported', '--slug', 'exported'])).code).toBe(0);
    expect((await terse(['export', 'links.csv'], { cwd })).code).toBe(0);
    const whole = await terse(['export']);
    expect(whole).toEqual(done(readFileSync(join(cwd, 'links.csv'), 'utf8')));
    expect(await terse(['export', 'links.csv'], { cwd })).toMatchObject({
      code: 1,
      stderr: 'terse: links.csv exists already.\nName another, or replace it with --force.\n',
    });
    expect(documents((await terse(['export', '--json'])).stdout)[0]).toMatchObject({ short_url: expect.any(String) });
    const again = await terse(['import', 'links.csv', '--json'], { cwd });
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, errors: 0 });
  });

  it('the commands export and import says what is wrong with which row, and changes nothing with --dry-run', async () => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'new.csv'), 'slug,url\nimported,https://example.com/i\nbad slug,https://example.com/b\n');
    const dry = await terse(['import', 'new.csv', '--dry-run'], { cwd });
    expect(dry).toMatchObject({ code: 1, stdout: '1 would be created, 0 unchanged, 1 with errors\n' });
    expect(dry.stderr).toMatch(/^Row 3: slug must be .*\n$/);
    expect((await terse(['stats', 'imported'])).code).toBe(4);
    expect((await terse(['import', 'new.csv'], { cwd })).stdout).toBe('1 created, 0 unchanged, 1 with errors\n');
    expect((await terse(['import', 'new'], { cwd })).code).toBe(2);
    const stdin = '{"url":"https://example.com/nd","slug":"nd"}';
    expect((await terse(['import', '-', '--type', 'ndjson'], { stdin })).code).toBe(0);
  });

  it('the command import takes the file of another service, says where its links go, and keeps protected ones closed', async () => {
    const cwd = makeFolder();
    const row = (address: string, password: boolean) => ({
      address,
      target: `https://example.com/${address}`,
      domain: 'sho.rt',
      link: `https://sho.rt/${address}`,
      visit_count: 42,
      password,
      banned: false,
    });
    writeFileSync(
      join(cwd, 'kutt.json'),
      JSON.stringify({ data: [row('kutt-open', false), row('kutt-closed', true)] }),
    );
    const words = ['import', 'kutt.json', '--from', 'kutt', '--host', 'sho.rt:shared'];
    const first = await terse(words, { cwd });
    expect(first).toMatchObject({ code: 0, stdout: '2 created, 0 unchanged, 0 with errors\n' });
    expect(first.stderr).toMatch(/^The file is read as Kutt\.\n/);
    expect(first.stderr).toMatch(/^Row 2: .*disabled/m);
    const statuses = async (...slugs: string[]) =>
      Promise.all(slugs.map(async (slug) => (await ask(`${server.origin}/${slug}`)).status));
    expect(await statuses('kutt-open', 'kutt-closed')).toEqual([302, 410]);

    writeFileSync(join(cwd, 'kutt.json'), JSON.stringify({ data: [row('kutt-public', true)] }));
    expect((await terse([...words, '--unprotected', 'publish'], { cwd })).code).toBe(0);
    expect(await statuses('kutt-public')).toEqual([302]);
    const wrong = await terse([...words, '--unprotected', 'hide'], { cwd });
    expect({ code: wrong.code, stderr: wrong.stderr }).toEqual({
      code: 1,
      stderr: 'terse: unprotected must be one of disable, publish.\n',
    });
  });

  it('the commands export and import takes any file with --map', async () => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'sheet.csv'), 'Long link,Name,Owner\nhttps://example.com/mapped,mapped,Ann\n');
    const mapped = await terse(['import', 'sheet.csv', '--map', 'url=Long link', '--map', 'slug=Name'], { cwd });
    expect(mapped).toMatchObject({ code: 0, stdout: '1 created, 0 unchanged, 0 with errors\n' });
    expect((await ask(`${server.origin}/mapped`)).headers['location']).toBe('https://example.com/mapped');
    for (const words of [['owner=Owner'], ['url'], ['url='], ['url=A', '--map', 'url=B'], ['__proto__=A']]) {
      const refused = await terse(['import', 'sheet.csv', '--map', ...words], { cwd });
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^terse: --map /) });
    }
  });
});
