import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ended,
  makeFolder,
  runProcess,
  startProcess,
  strangersEnv,
  type Outcome,
} from '../scripts/support/processes.ts';
import {
  copyProject,
  NODE,
  printed,
  printedAccount,
  printedOnce,
  type PrintedAccount,
} from '../scripts/support/project.ts';
import { ask, startServer, type Server } from '../scripts/support/server.ts';

const ROWS = 5000;
// Every hundredth row has no slug, so that only its content says which link it is.
const slugOf = (row: number) => (row % 100 === 0 ? '' : `moved-${row}`);
const lineOf = (row: number) => `${slugOf(row)},https://example.com/${row},"title, ""${row}""\nof two lines"`;
const FILE = `slug,url,comments\n${Array.from({ length: ROWS }, (_, index) => `${lineOf(index + 1)}\n`).join('')}`;

describe('npm run import', () => {
  const project = copyProject();
  const persistTo = makeFolder();
  let server: Server;
  let account: PrintedAccount;
  const argsOf = (file: string, more: readonly string[] = ['--persist-to', persistTo]) => [
    'scripts/import.ts',
    file,
    '--client',
    'default',
    ...more,
  ];
  const run = (file: string, more?: readonly string[]): Promise<Outcome> =>
    runProcess(NODE, argsOf(file, more), { cwd: project, env: strangersEnv() });
  const write = (text: string, name = 'links.csv'): string => {
    const file = join(makeFolder(), name);
    writeFileSync(file, text);
    return file;
  };
  const exported = async (): Promise<Record<string, unknown>[]> => {
    const headers = { 'X-API-Key': account.apiKey };
    const { body } = await ask(`${server.origin}/v1/links/export?format=ndjson`, { headers });
    return body
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };

  beforeAll(async () => {
    server = await startServer({ folder: project, persistTo });
    account = printedAccount(server.output());
  });

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'continues after %s in the middle, and writes no link twice',
    async (signal) => {
      const mine = FILE.replaceAll('moved-', `${signal}-`).replaceAll('example.com/', `${signal}.example.com/`);
      const file = write(mine);
      const child = startProcess(NODE, argsOf(file), { cwd: project });
      let told = '';
      const isUnderWay = Promise.withResolvers<void>();
      child.stderr?.on('data', (piece: Buffer) => {
        told += piece.toString();
        if (told.includes(`of ${ROWS} rows`)) isUnderWay.resolve();
      });
      const over = ended(child);
      await Promise.race([isUnderWay.promise, over]);
      child.kill(signal);
      const code = await over;
      if (signal === 'SIGINT') {
        expect(code).toBe(130);
        expect(told).toContain(
          `Interrupted. Run the same command again to continue; ${file}.import-state has how far it came.`,
        );
      }
      const { next } = JSON.parse(readFileSync(`${file}.import-state`, 'utf8'));
      expect(next).toBeGreaterThan(0);
      expect(next).toBeLessThan(ROWS);

      const again = await run(file);
      expect([again.code, again.stdout.split('\n').slice(1, 3)]).toEqual([
        0,
        [expect.stringMatching(/^unchanged: /), 'refused: 0'],
      ]);
      const counted = ['created', 'unchanged'].map((name) => Number(printedOnce(again.stdout, name)));
      expect(counted.reduce((sum, each) => sum + each)).toBe(ROWS);
      const links = (await exported()).filter(({ url }) => String(url).includes(`//${signal.toLowerCase()}.`));
      const rows = links.map(({ slug, url, comments }) => [
        String(slug).startsWith(signal) ? slug : '',
        Number(String(url).split('/').at(-1)),
        comments,
      ]);
      const wanted = Array.from({ length: ROWS }, (_, index) => index + 1).map((row) => [
        slugOf(row).replace('moved-', `${signal}-`),
        row,
        `title, "${row}"\nof two lines`,
      ]);
      expect(rows.toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual(wanted);
      expect(existsSync(`${file}.import-state`)).toBe(false);
    },
  );

  it('names refused rows as a spreadsheet does, and the domains that links wait for', async () => {
    const file = write(
      'slug,url,custom_domain\n\na1,https://example.com/,go.moved.example\nb1,nowhere,\n"c\n1",https://example.com/,\n',
    );
    const dry = await run(file, ['--dry-run', '--persist-to', persistTo]);
    expect([dry.code, printedOnce(dry.stdout, 'would be created')]).toEqual([3, '1']);
    expect(printedOnce(dry.stdout, 'waits for go.moved.example')).toBe('it would be added');
    const made = await run(file);
    expect([made.code, printedOnce(made.stdout, 'created')]).toEqual([3, '1']);
    expect(printedOnce(made.stdout, 'waits for go.moved.example')).toMatch(
      /^set the TXT record _terse\.go\.moved\.example to terse-domain=[0-9a-f]{32}, then verify it$/,
    );
    const report = readFileSync(`${file}.refused.csv`, 'utf8');
    expect(report).toBe(readFileSync(`${file}.dry-run.csv`, 'utf8'));
    expect(report.split('\r\n').map((line) => line.split(':', 1)[0])).toEqual([
      'row,error',
      '4,"invalid_url',
      '5,"invalid_slug',
      '',
    ]);
    const link = (await exported()).find(({ slug }) => slug === 'a1');
    expect(link).toMatchObject({ custom_domain: 'go.moved.example', waits_for: 'go.moved.example' });
  });

  it('reads the export of another service, whose own host is a choice', async () => {
    const file = write(
      'short_link,destination_url\nhttps://go.dub.example/t1,https://example.com/\nhttps://dub.sh/t2,https://example.com/\n',
    );
    const dry = await run(file, ['--dry-run', '--persist-to', persistTo]);
    expect([dry.code, printedOnce(dry.stdout, 'would be created')]).toEqual([3, '1']);
    expect(readFileSync(`${file}.dry-run.csv`, 'utf8')).toContain(
      '3,"unknown_domain: custom_domain dub.sh belongs to a link service',
    );
    const made = await run(file, ['--host', 'dub.sh:shared', '--persist-to', persistTo]);
    expect([made.code, printedOnce(made.stdout, 'created')]).toEqual([0, '2']);
    const links = (await exported()).filter(({ slug }) => slug === 't1' || slug === 't2');
    const hosts = links.map(({ custom_domain: host }) => host);
    expect(new Set(hosts)).toEqual(new Set(['go.dub.example', null]));
    const tiny = write('tiny_url,url,deleted\nhttps://tinyurl.com/gone,https://example.com/,1\n', 'tiny.csv');
    expect(printedOnce((await run(tiny)).stdout, 'skipped')).toBe('1');
  });

  it('leaves no key that works, and imports with --remote', async () => {
    copyFileSync(join(persistTo, 'operator-key.json'), join(project, 'operator-key.json'));
    const made = await run(write('{"url":"https://example.com/remote"}', 'links.ndjson'), [
      '--remote',
      '--origin',
      server.origin,
    ]);
    expect([made.code, printed(made.stdout, 'created')]).toEqual([0, ['1']]);
    const list = await runProcess(NODE, ['scripts/account.ts', 'list', '--persist-to', persistTo], { cwd: project });
    expect(list.stdout).toMatch(/^admin +default +1 /m);
  });

  it('refuses another version of a file that was begun, and mistakes, in a sentence', async () => {
    const file = write('url\nhttps://example.com/\n');
    writeFileSync(`${file}.import-state`, JSON.stringify({ sha256: 'another' }));
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [[file, '--client', 'default'], `${file}.import-state belongs to an import of another version of this file`],
      [[file], '--client is missing or no client id'],
      [['/nowhere.csv', '--client', 'default'], '/nowhere.csv is not a file'],
      [[write('', 'empty.csv'), '--client', 'default'], 'empty.csv cannot be imported: The file is empty.'],
      [[write('[]', 'links.json'), '--client', 'default'], 'links.json is JSON'],
      [[write('what\n1\n'), '--client', 'default'], 'The import stopped at rows 2 to 2: '],
      [[write('url\nhttps://example.com/\n'), '--client', 'nobody'], 'The client nobody has no enabled user'],
      [[file, '--client', 'default', '--unprotected', 'yes'], '--unprotected takes only "publish"'],
    ];
    for (const [args, sentence] of refusals) {
      const outcome = await runProcess(NODE, ['scripts/import.ts', ...args, '--persist-to', persistTo], {
        cwd: project,
      });
      expect([outcome.code, outcome.stderr.trim()]).toEqual([2, expect.stringContaining(sentence)]);
    }
    expect(readdirSync(join(file, '..'))).toEqual(['links.csv', 'links.csv.import-state']);
  });
});
