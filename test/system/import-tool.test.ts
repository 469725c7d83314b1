import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { SAY_BY_OPTIONS } from '../../src/links/import/mapping.ts';
import { ended, runProcess, startProcess, until } from '../scripts/support/processes.ts';
import { NODE, printed, printedOnce } from '../scripts/support/project.ts';
import { openImportTool } from './support/import-tool.ts';
import { startReceiver } from './support/webhook-receiver.ts';

const ROWS = 5000;
// Every hundredth row has no slug, so that only its content says which link it is.
const slugOf = (row: number) => (row % 100 === 0 ? '' : `moved-${row}`);
const lineOf = (row: number) => `${slugOf(row)},https://example.com/${row},"title, ""${row}""\nof two lines"`;
const FILE = `slug,url,comments\n${Array.from({ length: ROWS }, (_, index) => `${lineOf(index + 1)}\n`).join('')}`;

const QUOTE_IN_2502 = `url\n${'https://example.com/quote\n'.repeat(2500)}"x" y\n`;

describe('npm run import', () => {
  let tool: Awaited<ReturnType<typeof openImportTool>>;

  beforeAll(async () => {
    tool = await openImportTool();
  });

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'npm run import continues after %s in the middle, and writes no link twice',
    async (signal) => {
      const receiver = await startReceiver((response) => void response.end());
      receiver.secret = await tool.addWebhook(receiver.url);
      const mine = FILE.replaceAll('moved-', `${signal}-`).replaceAll('example.com/', `${signal}.example.com/`);
      const file = tool.write(mine);
      const child = startProcess(NODE, tool.argsOf(file), { cwd: tool.project });
      let stderr = '';
      const isUnderWay = Promise.withResolvers<void>();
      child.stderr?.on('data', (piece: Buffer) => {
        stderr += piece.toString();
        if (stderr.includes(`of ${ROWS} rows`)) isUnderWay.resolve();
      });
      const over = ended(child);
      await Promise.race([isUnderWay.promise, over]);
      child.kill(signal);
      const code = await over;
      if (signal === 'SIGINT') {
        expect(code).toBe(130);
        expect(stderr).toContain(
          `Interrupted. Run the same command again to continue; ${file}.import-state has how far it came.`,
        );
        const working = (await tool.keys()).filter(({ revoked_at: revokedAt }) => revokedAt === null);
        expect(working.map(({ name }) => name)).toEqual(['first key']);
      }
      const { next } = JSON.parse(readFileSync(`${file}.import-state`, 'utf8'));
      expect(next).toBeGreaterThan(0);
      expect(next).toBeLessThan(ROWS);

      const again = await tool.run(file);
      expect([again.code, printed(again.stdout, 'refused')]).toEqual([0, ['0']]);
      const counted = ['created', 'unchanged'].map((name) => Number(printedOnce(again.stdout, name)));
      expect(counted.reduce((sum, each) => sum + each)).toBe(ROWS);
      const links = (await tool.exported()).filter(({ url }) => String(url).includes(`//${signal.toLowerCase()}.`));
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
      await until('the event of the import is delivered', () => receiver.delivered.length > 0);
      expect(receiver.delivered.map(({ event }) => event)).toMatchObject([
        { type: 'links.imported', data: { rows: ROWS, created: ROWS, failed: 0 } },
      ]);
    },
  );

  it('npm run import names refused rows as a spreadsheet does, and the domains that links wait for', async () => {
    const file = tool.write(
      'slug,url,custom_domain\n\na1,https://example.com/,go.moved.example\nb1,nowhere,\n"c\n1",https://example.com/,\n',
    );
    const dry = await tool.run(file, '--dry-run');
    expect([dry.code, printedOnce(dry.stdout, 'would be created')]).toEqual([3, '1']);
    expect(printedOnce(dry.stdout, 'waits for go.moved.example')).toBe('it would be added');
    const made = await tool.run(file);
    expect([made.code, printedOnce(made.stdout, 'created')]).toEqual([3, '1']);
    expect(printedOnce(made.stdout, 'waits for go.moved.example')).toMatch(
      /^set the TXT record _terse\.go\.moved\.example to terse-domain=[0-9a-f]{32}, then verify it$/,
    );
    const report = readFileSync(`${file}.refused.csv`, 'utf8');
    expect(report).toBe(readFileSync(`${file}.dry-run.csv`, 'utf8'));
    expect(report.split('\r\n').map((line) => line.split(':', 1)[0])).toEqual([
      '"row","error"',
      '4,"invalid_url',
      '5,"invalid_slug',
      '',
    ]);
    const link = (await tool.exported()).find(({ slug }) => slug === 'a1');
    expect(link).toMatchObject({ custom_domain: 'go.moved.example', waits_for: 'go.moved.example' });
  });

  it('npm run import says what it reads the export of another service as, and what it does not keep of each row', async () => {
    const file = tool.write(
      'short_link,destination_url,password,folder,clicks\nhttps://go.dub.example/t1,https://example.com/,secret,a,7\n' +
        'https://dub.sh/t2,https://example.com/,,b,3\n',
    );
    const before = await tool.keys();
    const dry = await tool.run(file, '--dry-run');
    expect([dry.code, printedOnce(dry.stdout, 'would be created')]).toEqual([3, '1']);
    expect(await tool.keys()).toEqual(before);
    expect(readFileSync(`${file}.dry-run.csv`, 'utf8')).toContain(
      '3,"unknown_domain: dub.sh links cannot keep their domain',
    );
    const made = await tool.run(file, '--host', 'dub.sh:shared');
    expect([made.code, printedOnce(made.stdout, 'created'), printedOnce(made.stdout, 'refused')]).toEqual([
      0,
      '2',
      '0',
    ]);
    expect(made.stdout).toContain(
      'Read as Dub, recognised by its columns: short_link → slug, destination_url → url, password → disabled, clicks → imported_clicks\nNot kept: folder\n',
    );
    expect(printedOnce(made.stdout, 'with notes')).toBe(`1, see ${file}.notes.csv`);
    expect(printedOnce(made.stdout, 'with clicks as a total only')).toBe(`2, see ${file}.notes.csv`);
    const [head, ...notes] = readFileSync(`${file}.notes.csv`, 'utf8').trim().split('\r\n');
    expect([head, notes]).toEqual([
      '"row","note"',
      [
        '2,"It had a password, which the file does not have: it is created disabled. Of its clicks only the total is kept."',
        '3,"Of its clicks only the total is kept."',
      ],
    ]);
    const links = (await tool.exported()).filter(({ slug }) => slug === 't1' || slug === 't2');
    const hosts = links.map(({ slug, custom_domain: host, disabled }) => [slug, [host, disabled]]);
    expect(Object.fromEntries(hosts)).toEqual({ t1: ['go.dub.example', true], t2: [null, false] });
    const tiny = tool.write('tiny_url,url,deleted\nhttps://tinyurl.com/gone,https://example.com/,1\n', 'tiny.csv');
    expect(printedOnce((await tool.run(tiny)).stdout, 'skipped')).toBe(`1, see ${tiny}.notes.csv`);
    expect(readFileSync(`${tiny}.notes.csv`, 'utf8')).toContain('2,"Skipped: ');
  });

  it('npm run import reads dates in the order that all rows admit, and another encoding, or says which option it needs', async () => {
    // A piece has 1,000 rows, so that only the second one says the order of the dates in the first.
    const fileOf = (last: string) => {
      const rows = Array.from({ length: 1100 }, (_, row) => {
        const date = row === 1099 ? last : '03/04/2099';
        return `https://example.com/dated-${last.length}-${row},Gr\xfcn,${date}\n`;
      });
      const file = tool.write('');
      writeFileSync(file, Buffer.from(`url,title,expires_at\n${rows.join('')}`, 'latin1'));
      return file;
    };
    const clear = fileOf('31/12/2099');
    const unread = await tool.run(clear);
    expect([unread.code, unread.stderr]).toEqual([2, expect.stringContaining('such as --charset windows-1252.')]);
    const made = await tool.run(clear, '--charset', 'windows-1252');
    expect([made.code, printedOnce(made.stdout, 'created')]).toEqual([0, '1100']);
    expect(made.stdout).toContain('are read as day, month, year: 03/04/2099 is 2099-04-03.');
    const links = (await tool.exported()).filter(({ url }) => String(url).includes('/dated-10-'));
    const days = Map.groupBy(links, ({ title, expires_at: at }) => `${String(title)} ${String(at).slice(0, 10)}`);
    expect([...days].map(([day, { length }]) => [day, length])).toEqual(
      expect.arrayContaining([
        ['Grün 2099-04-03', 1099],
        ['Grün 2099-12-31', 1],
      ]),
    );
    const unclear = await tool.run(fileOf('3/4/2099'), '--charset', 'latin1');
    expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining('--dates dmy (day, month, year)')]);
    expect((await tool.exported()).some(({ url }) => String(url).includes('/dated-8-'))).toBe(false);
  });

  it('npm run import maps columns, and reads a large file of JSON in the format of its first links', async () => {
    const sheet = tool.write('Name,Long link\nmapped-1,https://example.com/mapped\n');
    const mapped = await tool.run(sheet, '--map', 'slug=name', '--map', 'url=Long link');
    expect([mapped.code, printedOnce(mapped.stdout, 'created')]).toEqual([0, '1']);
    expect(mapped.stdout).toContain('Read as Mapped columns: Name → slug, Long link → url\n');
    const items = Array.from({ length: 2500 }, (_, index) => ({
      address: `kutt-${index + 1}`,
      ...(index !== 1000 && { target: `https://example.com/kutt/${index + 1}` }),
      domain: 'go.kutt.example',
      visit_count: 0,
    }));
    const file = tool.write(`{"total": 2501, "data": ${JSON.stringify([1, ...items], null, 1)}}`, 'kutt.json');
    const made = await tool.run(file);
    expect([made.code, printedOnce(made.stdout, 'created')]).toEqual([3, '2499']);
    expect(made.stdout).toContain('Read as Kutt, recognised by its columns: address → slug, target → url, ');
    const report = readFileSync(`${file}.refused.csv`, 'utf8').trim().split('\r\n');
    expect(report).toEqual([
      '"row","error"',
      '1,"malformed_row: The item of the list is not a JSON object."',
      expect.stringMatching(/^1002,"missing_field: /),
    ]);
  });

  it('npm run import leaves no key that works, and imports with --remote', async () => {
    copyFileSync(join(tool.persistTo, 'operator-key.json'), join(tool.project, 'operator-key.json'));
    const made = await tool.run(
      tool.write('{"url":"https://example.com/remote"}', 'links.ndjson'),
      '--remote',
      '--origin',
      tool.server.origin,
    );
    expect([made.code, printed(made.stdout, 'created')]).toEqual([0, ['1']]);
    const list = await runProcess(NODE, ['scripts/account.ts', 'list', '--persist-to', tool.persistTo], {
      cwd: tool.project,
    });
    expect(list.stdout).toMatch(/^admin +default +1 /m);
  });

  it('npm run import refuses another version of a file that was begun, and mistakes, in a sentence', async () => {
    const file = tool.write('url\nhttps://example.com/\n');
    writeFileSync(`${file}.import-state`, JSON.stringify({ sha256: 'another' }));
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [[file, '--client', 'default'], `${file}.import-state belongs to an import of another version of this file`],
      [[file], '--client is missing or no client id'],
      [['/nowhere.csv', '--client', 'default'], '/nowhere.csv is not a file'],
      [[tool.write('', 'empty.csv'), '--client', 'default'], 'empty.csv cannot be imported: The file is empty.'],
      [
        [tool.write('[', 'links.json'), '--client', 'default'],
        'links.json cannot be imported: The file is not valid JSON.',
      ],
      [
        [tool.write('what\n1\n'), '--client', 'default'],
        'links.csv cannot be imported: There is no column "what" here. Leave it out. url is required: add a column of that ' +
          `name to the header. ${SAY_BY_OPTIONS} Its first row is "what": "1".`,
      ],
      [
        [tool.write(QUOTE_IN_2502), '--client', 'default'],
        'links.csv cannot be imported: Row 2502 has a misplaced quote.',
      ],
      [[file, '--client', 'default', '--map', 'link=Long link'], '--map takes a field and a column'],
      [
        [tool.write('url\nhttps://example.com/\n'), '--client', 'acme'],
        'The client acme has no enabled user: add one first.',
      ],
      [[file, '--client', 'default', '--unprotected', 'yes'], '--unprotected takes only "publish"'],
    ];
    for (const [args, sentence] of refusals) {
      const outcome = await runProcess(NODE, ['scripts/import.ts', ...args, '--persist-to', tool.persistTo], {
        cwd: tool.project,
      });
      expect([outcome.code, outcome.stderr.trim()]).toEqual([2, expect.stringContaining(sentence)]);
      expect(outcome.stderr).not.toContain('again to continue');
    }
    const begun = new Set(refusals.map(([[name]]) => name).filter((name) => existsSync(`${name}.import-state`)));
    expect(begun).toEqual(new Set([file]));
    expect((await tool.exported()).filter(({ url }) => url === 'https://example.com/quote')).toEqual([]);
  });
});
