import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, it } from 'vitest';
import { parseSealingKeys } from '../../../src/secrets/sealing.ts';
import { parseTokenKeys } from '../../../src/secrets/jwks.ts';
import { makeFolder } from '../../scripts/support/processes.ts';
import { printedOnce } from '../../scripts/support/project.ts';
import { account, data, listed, openData, seedUser, sentenceOf } from '../../scripts/support/account.ts';
import { rowsIn } from '../../scripts/support/data.ts';
import { callAccount } from '../../scripts/support/tools.ts';

describe('key', () => {
  it('the command key creates a key, which it shows this once', async () => {
    await seedUser('keyed', 'keys');
    const outcome = await account('key', 'keys', '--name', "x'); DROP TABLE api_keys;-- 🗝");
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^client_id: keys\napi_key: tk_[A-Za-z0-9]+_\S+\n$/);
    expect((await listed('keyed'))?.keys).toBe(1);
    expect((await account('list')).stdout).not.toContain(printedOnce(outcome.stdout, 'api_key'));
  });

  it('the command key refuses a client without an enabled user for the key', async () => {
    await seedUser('absent', 'deserted');
    await account('disable', 'absent');
    const sentence = 'has no enabled user: add one first.';
    expect(sentenceOf(await account('key', 'deserted', '--name', 'x'))).toBe(`The client deserted ${sentence}`);
    expect(sentenceOf(await account('key', 'unheard-of', '--name', 'x'))).toBe(`The client unheard-of ${sentence}`);
    expect((await listed('absent'))?.keys).toBe(0);
  });
});

describe('domain', () => {
  it('the command domain adds a host as a domain of a client, in its canonical form', async () => {
    await seedUser('hostess', 'hosts');
    const outcome = await account('domain', 'GO.Bücher.Example.', '--client', 'hosts');
    expect(outcome).toEqual({ code: 0, stdout: 'domain: go.xn--bcher-kva.example\nclient_id: hosts\n', stderr: '' });
  });

  it('the command domain gives a host to one client only', async () => {
    await seedUser('rival-1', 'rivals-1');
    await seedUser('rival-2', 'rivals-2');
    expect(await account('domain', 'both.example.com', '--client', 'rivals-1')).toMatchObject({ code: 0 });
    const sentence = 'There is no client rivals-2, or the domain both.example.com already exists.';
    expect(sentenceOf(await account('domain', 'BOTH.example.com', '--client', 'rivals-2'))).toBe(sentence);
  });
});

describe('list', () => {
  it('the command list says how to begin if there are no users yet', async () => {
    const outcome = await callAccount(['list', '--persist-to', makeFolder()]);
    const stdout = 'There are no users yet: npm run account -- add USER --client CLIENT\n';
    expect(outcome).toEqual({ code: 0, stdout, stderr: '' });
  });
});

describe('signing-key', () => {
  it('the command signing-key puts a new key before those in a file, for a rotation', async () => {
    const file = join(makeFolder(), 'token-keys.json');
    const older = (await account('signing-key')).stdout;
    writeFileSync(file, older);
    const { code, stdout } = await account('signing-key', '--before', file);
    const [newest, ...rest] = JSON.parse(stdout);
    expect([code, rest]).toEqual([0, JSON.parse(older)]);
    expect(newest).not.toEqual(rest[0]);
    const nowhere = await account('signing-key', '--before', `${file}.gone`);
    expect(sentenceOf(nowhere)).toBe(
      `--before takes a file with a JSON list of signing keys, which ${file}.gone is not.`,
    );
  });

  it('the command signing-key prints a list with one new key, as TOKEN_KEYS takes it', async () => {
    const outcomes = [await account('signing-key'), await account('signing-key')];
    const keys = outcomes.map(({ stdout }) => parseTokenKeys(stdout));
    for (const key of keys) expect(key).toHaveLength(1);
    expect(keys[0]).not.toEqual(keys[1]);
  });
});

describe('webhook-key', () => {
  it('the command webhook-key prints a list with a new key before those in a file, as WEBHOOK_KEYS takes it', async () => {
    const file = join(makeFolder(), 'webhook-keys.json');
    const older = (await account('webhook-key')).stdout;
    writeFileSync(file, older);
    const { code, stdout } = await account('webhook-key', '--before', file);
    expect(code).toBe(0);
    const keys = parseSealingKeys(stdout);
    expect(keys).toHaveLength(2);
    expect(keys?.slice(1)).toEqual(parseSealingKeys(older));
    writeFileSync(file, '[]');
    expect(sentenceOf(await account('webhook-key', '--before', file))).toBe(
      `--before takes a file with a JSON list of keys for webhooks, which ${file} is not.`,
    );
  });
});

describe('block, unblock and blocked', () => {
  it('the commands block, unblock and blocked keep a list of hosts, in one spelling each', async () => {
    expect((await account('blocked')).stdout).toBe('No host is blocked: npm run account -- block HOST\n');
    expect(await account('block', 'EVIL.example.')).toMatchObject({
      code: 0,
      stdout: 'evil.example is blocked, with its subdomains. Links that stop working within minutes: 0.\n',
    });
    expect((await account('block', '2001:DB8::1')).stdout).toMatch(/^\[2001:db8::1\] is blocked, /);
    const { stdout } = await account('blocked');
    expect(stdout).toMatch(/^HOST +SINCE\n\[2001:db8::1\] +20\S+Z\nevil\.example +20\S+Z\n$/);
    expect(sentenceOf(await account('block', 'evil.example'))).toBe(
      'evil.example is already blocked: "npm run account -- blocked" lists all blocked hosts.',
    );
    expect((await account('unblock', 'Evil.Example')).stdout).toBe(
      'evil.example is unblocked: links to it work again within minutes.\n',
    );
    expect(sentenceOf(await account('unblock', 'evil.example'))).toBe(
      'evil.example itself is not blocked: "npm run account -- blocked" lists all blocked hosts.',
    );
  });

  it.each(['https://evil.example/', 'evil', '192.0.2.0/24'])(
    'the commands block, unblock and blocked refuse %s',
    async (host) => {
      const sentence = 'HOST must be a host name such as evil.example, or an IP address.';
      expect(sentenceOf(await account('block', host))).toBe(sentence);
      expect(sentenceOf(await account('unblock', host))).toBe(sentence);
    },
  );
});

describe('a client that its owner has deleted', () => {
  it('a client that its owner has deleted is marked in the list, and takes no users, keys and domains until it is restored', async () => {
    await seedUser('deleter', 'deleted-client');
    const sql = [
      `INSERT INTO deletions (client_id, user_id, requested_at, ends_at) VALUES ('deleted-client', 'u', 1, 86400000)`,
      `INSERT INTO suspended_members (user_id, client_id, created_at, role)
        SELECT user_id, client_id, created_at, role FROM members WHERE client_id = 'deleted-client'`,
      `DELETE FROM members WHERE client_id = 'deleted-client'`,
    ];
    await (await openData()).batch(sql.map((text) => ({ sql: text, params: [] })));
    expect((await listed('deleter'))?.clients).toBe('deleted-client (deleted)');
    await seedUser('helper', 'helpers');
    const before = rowsIn(data);
    for (const args of [
      ['add', 'late', '--client', 'deleted-client'],
      ['join', 'helper', '--client', 'deleted-client'],
      ['key', 'deleted-client', '--name', 'x'],
      ['domain', 'go.deleted.example', '--client', 'deleted-client'],
    ]) {
      expect(sentenceOf(await account(...args))).toBe(
        'The client deleted-client was deleted by its owner: an owner can restore it on the pages until 1970-01-02T00:00:00.000Z. Choose another client.',
      );
    }
    expect(rowsIn(data)).toEqual(before);
  });
});

describe('log', () => {
  it('the command log prints what the tools have done, newest first, with the thumbprint of their key', async () => {
    const folder = makeFolder();
    const ask = (...args: string[]) => callAccount([...args, '--persist-to', folder]);
    expect(await ask('add', 'logged', '--client', 'logs')).toMatchObject({ code: 0 });
    expect((await ask('disable', 'unheard-of')).code).toBe(2);
    const { code, stdout } = await ask('log');
    expect(code).toBe(0);
    const key = await calculateJwkThumbprint(JSON.parse(readFileSync(join(folder, 'operator-key.json'), 'utf8')));
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['COMMAND', 'SUBJECT', 'OUTCOME', 'KEY'],
      ['list-log', '-', 'begun', key],
      ['disable-user', 'name=unheard-of', 'not_found', key],
      ['add-user', 'name=logged client_id=logs', 'done', key],
    ]);
    expect((await ask('log', '--limit', '1')).stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(sentenceOf(await ask('log', '--limit', '0'))).toBe('--limit takes a number from 1 to 1000.');
  });
});
