import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowsIn } from '../../scripts/support/data.ts';
import { makeFolder, runProcess, strangersEnv } from '../../scripts/support/processes.ts';
import { NODE, ROOT, runAccount } from '../../scripts/support/project.ts';
import { account, accountWith, data, seedUser, sentenceOf } from '../../scripts/support/account.ts';
import { callAccount } from '../../scripts/support/tools.ts';

describe('the tool', () => {
  it.each([[[]], [['add', '--help']]])('the tool account explains itself when given %j', async (args) => {
    const outcome = await account(...args);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^Usage: npm run account -- COMMAND/);
    const commands = [
      'add',
      'join',
      'password',
      'reset-factors',
      'connect',
      'disable',
      'enable',
      'key',
      'domain',
      'list',
      'signing-key',
    ];
    for (const command of commands) expect(outcome.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  it('the tool account leaves nothing behind in the folder for temporary files, whether it goes well or not', async () => {
    const env = strangersEnv();
    const folder = makeFolder();
    for (const command of [['list'], ['disable', 'unheard-of']]) {
      await runProcess(NODE, ['scripts/account.ts', ...command, '--persist-to', folder], { cwd: ROOT, env });
    }
    expect(readdirSync(env.TMPDIR)).toEqual([]);
  });

  it('the tool account says who can cure it where no data can be kept', async () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    const sentence = sentenceOf(await runAccount(file, ['list']));
    expect(sentence).toBe(`The folder ${file} cannot be written: choose another with --persist-to DIR.`);
  });
});

const USER_RULE = 'USER must be 1 to 128 characters without colons, and without spaces at the start or end.';
const CLIENT_RULE = 'must be 1 to 64 of A-Z a-z 0-9 . _ ~ -, and not "." or "..".';

/** Bad input by command, and what the one sentence says about it; "present" is a user of the client "presents". */
const BAD_INPUT: Readonly<Record<string, readonly (readonly [args: readonly string[], says: string])[]>> = {
  'no command': [
    [['nope'], 'There is no command "nope": "npm run account -- --help" lists them.'],
    [['toString'], 'There is no command "toString"'],
  ],
  add: [
    [['add', '--client', 'presents'], '"add" takes a USER: npm run account -- add USER'],
    [['add', 'new'], '--client is missing: give it with a value.'],
    [['add', 'new', '--client', 'a b'], `--client ${CLIENT_RULE}`],
    [['add', 'new', '--client', '..'], `--client ${CLIENT_RULE}`],
    [['add', 'new', '--client', 'x'.repeat(65)], `--client ${CLIENT_RULE}`],
    [['add', 'new', '--client', "x'); DROP TABLE clients;--"], `--client ${CLIENT_RULE}`],
    [['add', '', '--client', 'presents'], USER_RULE],
    [['add', 'ne:w', '--client', 'presents'], USER_RULE],
    [['add', 'ne\nw', '--client', 'presents'], USER_RULE],
    [['add', 'n'.repeat(129), '--client', 'presents'], USER_RULE],
    [['add', 'new', 'er', '--client', 'presents'], '"add" does not take "er": put values with spaces in quotes.'],
    [['add', 'new', '--client', 'presents', '--name', 'x'], '"add" does not take --name.'],
    [['add', 'new', '--clint', 'presents'], "Unknown option '--clint'"],
    [['add', 'present', '--client', 'new'], 'The user present already exists: choose another name, or use "join".'],
  ],
  join: [
    [['join', 'present'], '--client is missing: give it with a value.'],
    [['join', 'present', '--client', 'presents', '--role', 'guest'], '--role must be owner or member.'],
    [['key', 'presents', '--name', 'x', '--role', 'owner'], '"key" does not take --role.'],
    [['join', 'nobody', '--client', 'new'], 'There is no user nobody: "npm run account -- list" shows all users.'],
  ],
  password: [
    [['password'], '"password" takes a USER'],
    [['password', 'nobody'], 'There is no user nobody'],
    [['password', 'present', 'secret'], '"password" does not take "secret"'],
  ],
  reset: [
    [['reset'], '"reset" takes a USER'],
    [['reset', 'nobody', '--origin', 'https://go.example.com'], 'There is no user nobody'],
    [['reset', 'present', '--origin', 'https://go.example.com/x'], '--origin must be an http or https origin'],
    [['reset', 'present', '--name', 'x'], '"reset" does not take --name.'],
    [
      ['reset', 'present', '--remote', '--persist-to', 'x'],
      '--remote is the deployed database and --persist-to a local',
    ],
  ],
  'disable and enable': [
    [['disable'], '"disable" takes a USER'],
    [['disable', "present' OR '1'='1"], "There is no user present' OR '1'='1"],
    [['disable', 'present', '--client', 'presents'], '"disable" does not take --client.'],
  ],
  connect: [
    [['connect', '--access', 'x'], '"connect" takes a USER'],
    [['connect', 'present'], '"connect" takes one subject: --access SUBJECT or --oidc SUBJECT.'],
    [['connect', 'present', '--access', 'x', '--oidc', 'x'], '"connect" takes one subject'],
    [['connect', 'present', '--oidc', ''], '--oidc must not be empty.'],
    [['connect', 'present', '--access', 'x'.repeat(256)], '--access must be at most 255 characters long.'],
    [
      ['connect', 'present', '--access', 'x'],
      'The settings name no such provider: ACCESS_TEAM and ACCESS_AUDIENCE are not set.',
    ],
    [['disable', 'present', '--access', 'x'], '"disable" does not take --access.'],
  ],
  key: [
    [['key', 'presents'], '--name is missing: give it with a value.'],
    [['key', 'presents', '--name', ''], '--name must be 1 to 64 characters, without spaces at the start or end.'],
    [['key', "presents' --", '--name', 'x'], `CLIENT ${CLIENT_RULE}`],
    [['key', 'unheard-of', '--name', 'x'], 'The client unheard-of has no enabled user: add one first.'],
  ],
  domain: [
    [['domain', 'go.example.com'], '--client is missing: give it with a value.'],
    [['domain', 'localhost', '--client', 'presents'], 'HOST must be a host name such as go.example.com.'],
    [['domain', 'https://go.example.com/', '--client', 'presents'], 'HOST must be a host name'],
    [['domain', '127.1', '--client', 'presents'], 'HOST must be a host name'],
    [
      ['domain', 'go.example.com', '--client', 'unheard-of'],
      'There is no client unheard-of, or the domain go.example.com already exists',
    ],
  ],
  'list and signing-key': [
    [['list', 'all'], '"list" does not take "all"'],
    [['list', '--client', 'presents'], '"list" does not take --client.'],
    [['list', '--remote'], '--remote is the deployed database and --persist-to a local one: give one of them.'],
    [['signing-key', 'all'], '"signing-key" does not take "all"'],
  ],
};

describe('bad input', () => {
  beforeAll(async () => {
    await seedUser('present', 'presents');
    await account('key', 'presents', '--name', 'old');
  });

  it.each(Object.keys(BAD_INPUT))('bad input is refused in one sentence and changes nothing: %s', async (command) => {
    const before = rowsIn(data);
    for (const [args, says] of BAD_INPUT[command] ?? []) {
      expect(sentenceOf(await account(...args)), args.join(' ')).toContain(says);
    }
    expect(rowsIn(data)).toEqual(before);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'The password must not be empty.'],
    ['two lines', 'one\ntwo\n', 'The password must not contain control characters.'],
    ['a NUL', 'one\0two', 'The password must not contain control characters.'],
    ['1025 characters', 'x'.repeat(1025), 'The password must be at most 1024 characters long.'],
    [
      'bytes that are no UTF-8',
      Uint8Array.of(0x70, 0xe4, 0x73, 0x73),
      'The password is not UTF-8: send it in that encoding.',
    ],
  ])('bad input is refused as a password, and the old one stays: %s', async (_, stdin, sentence) => {
    const before = rowsIn(data);
    const outcome = await accountWith(stdin, 'password', 'present', '--password-stdin');
    expect(sentenceOf(outcome)).toBe(sentence);
    expect(rowsIn(data)).toEqual(before);
  });
});

describe('--remote', () => {
  it.each([
    [
      [],
      /^--origin is missing, and nothing was deployed from this folder: give the origin of the service, --origin https:\/\/…$/,
    ],
    [
      ['--origin', 'http://go.example.com'],
      /^http:\/\/go\.example\.com is not https: give an https origin, since requests carry a token/,
    ],
    [['--origin', 'https://go.example.com/x'], /^--origin must be an http or https origin/],
    [
      ['--origin', 'https://go.example.com'],
      /^operator-key\.json with the key of the operator.s tools cannot be read: "npm run deploy" creates it\.$/,
    ],
  ])('the option --remote says what is missing: %j', async (args, sentence) => {
    expect(sentenceOf(await callAccount(['list', '--remote', ...args]))).toMatch(sentence);
  });
});
