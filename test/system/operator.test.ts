import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkBackup } from '../../scripts/backup/file.ts';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { sentenceOf } from '../scripts/support/account.ts';
import { freePort, makeFolder, runProcess, strangersEnv, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, NODE, printedAccount, printedOnce, type PrintedAccount } from '../scripts/support/project.ts';
import { makeLink, startServer, type Server } from '../scripts/support/server.ts';

describe('tools beside a server', () => {
  const folder = copyProject();
  const persistTo = makeFolder();
  const run = (args: readonly string[], cwd = folder): Promise<Outcome> =>
    runProcess(NODE, args, { cwd, env: strangersEnv() });
  let server: Server;
  let account: PrintedAccount;

  beforeAll(async () => {
    server = await startServer({ folder, persistTo, args: ['--var', 'CREATE_LIMITING:off'] });
    account = printedAccount(server.output());
  });

  it('a busy server lets backups and account commands work, and refuses no caller because of them', async () => {
    const first = await makeLink(server.origin, account.apiKey, { url: 'https://example.com/', client_id: 'default' });
    const over = new AbortController();
    const statuses = new Map<string, number>();
    const note = (what: string, { status }: Response) =>
      void statuses.set(`${what} ${status}`, (statuses.get(`${what} ${status}`) ?? 0) + 1);
    const follow = async () => {
      while (!over.signal.aborted) note('follow', await fetch(`${server.origin}/${first.id}`, { redirect: 'manual' }));
    };
    const make = async () => {
      while (!over.signal.aborted) {
        const body = new URLSearchParams({ url: 'https://example.com/busy', client_id: 'default' });
        const response = await fetch(`${server.origin}/v1/links`, {
          method: 'POST',
          headers: { 'X-API-Key': account.apiKey },
          body,
        });
        await response.text();
        note('make', response);
      }
    };
    const load = [follow(), follow(), make(), make(), make()];
    const outcomes: Outcome[] = [];
    const files = Array.from({ length: 7 }, (_, index) => join(makeFolder(), `${index}.backup`));
    try {
      for (const file of files) {
        outcomes.push(await run(['scripts/backup.ts', file, '--persist-to', persistTo]));
        if (outcomes.length < 11) outcomes.push(await run(['scripts/account.ts', 'list', '--persist-to', persistTo]));
      }
    } finally {
      over.abort();
      await Promise.all(load);
    }
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual(outcomes.map(() => [0, '']));
    expect([...statuses.keys()].toSorted()).toEqual(['follow 302', 'make 200']);
    for (const file of files) expect((await checkBackup(file)).rows['links']).toBeGreaterThan(0);
    // Links and addresses match, although more were made during the backup.
    const rows = (await checkBackup(files.at(-1)!)).rows;
    expect(rows['addresses']).toBe(rows['links']);
  });

  it('a command beside a server takes effect there at once, and a reset link leads to it', async () => {
    const added = await run(['scripts/account.ts', 'add', 'ann', '--client', 'anns', '--persist-to', persistTo]);
    expect([added.code, added.stderr]).toEqual([0, '']);
    const authorization = `Basic ${Buffer.from(`ann:${printedOnce(added.stdout, 'password')}`).toString('base64')}`;
    const headers = { Authorization: authorization };
    expect((await fetch(`${server.origin}/tokens/create_token`, { headers })).status).toBe(201);
    const reset = await run(['scripts/account.ts', 'reset', 'ann', '--persist-to', persistTo]);
    expect(printedOnce(reset.stdout, 'reset_link').startsWith(`${server.origin}/platform/reset/`)).toBe(true);
    const again = await run(['scripts/account.ts', 'add', 'ann', '--client', 'anns', '--persist-to', persistTo]);
    expect(sentenceOf(again)).toBe('The user ann already exists: choose another name, or use "join".');
  });

  it('the option --remote asks the service at --origin, with the key of this folder', async () => {
    const key = join(persistTo, 'operator-key.json');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const list = () => run(['scripts/account.ts', 'list', '--remote', '--origin', server.origin]);
    expect(sentenceOf(await list())).toMatch(/^operator-key\.json with the key of the operator's tools cannot be read/);
    writeFileSync(join(folder, 'operator-key.json'), JSON.stringify(await generateTokenKey()));
    expect(sentenceOf(await list())).toMatch(/^The service at \S+ does not accept the key of these tools: /);
    copyFileSync(key, join(folder, 'operator-key.json'));
    expect((await list()).stdout).toMatch(/^admin +default /m);
    const file = join(makeFolder(), 'remote.backup');
    const made = await run(['scripts/backup.ts', file, '--remote', '--origin', server.origin]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect((await checkBackup(file)).rows['users']).toBeGreaterThan(0);
  });

  it('the output of a server has no token of the tools', () => {
    expect(server.output()).not.toMatch(/eyJ[\w-]+\./);
    expect(server.output()).not.toContain(JSON.parse(readFileSync(join(persistTo, 'operator-key.json'), 'utf8')).d);
  });
});

describe('tools without a server', () => {
  it('two tools at once wait for each other without a server', async () => {
    const persistTo = makeFolder();
    const folder = copyProject();
    const add = (name: string) =>
      runProcess(NODE, ['scripts/account.ts', 'add', name, '--client', 'acme', '--persist-to', persistTo], {
        cwd: folder,
      });
    const outcomes = await Promise.all(['ann', 'bob', 'cy'].map(add));
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual(outcomes.map(() => [0, '']));
  });

  it('the option --remote names the origin in its error if no service is deployed there', async () => {
    const folder = copyProject();
    writeFileSync(join(folder, 'operator-key.json'), JSON.stringify(await generateTokenKey()));
    const args = ['scripts/account.ts', 'list', '--remote', '--origin', `http://127.0.0.1:${await freePort()}`];
    expect(sentenceOf(await runProcess(NODE, args, { cwd: folder }))).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ does not respond \(/,
    );
  });
});
