import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseTokenKeys } from '../../src/tokens/keys.ts';
import { rowsIn } from './support/data.ts';
import { makeFolder, runProcess, strangersEnv, type Outcome } from './support/processes.ts';
import { NODE, printedOnce, ROOT, runAccount, runTool } from './support/project.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The data of all tests here; each makes users and clients of its own. */
const data = makeFolder();

const account = (...args: string[]): Promise<Outcome> => runAccount(data, args);

interface Listed {
  readonly clients: string;
  readonly keys: number;
  readonly state: string;
  readonly localId: string;
}

/** The row of a user in the list, or undefined. Its columns are two or more spaces apart. */
async function listed(name: string): Promise<Listed | undefined> {
  const { stdout } = await account('list');
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(rows[0]).toEqual(['USER', 'CLIENTS', 'KEYS', 'STATE', 'LOCAL_ID']);
  const [, clients = '', keys = '', state = '', localId = ''] = rows.find(([user]) => user === name) ?? [];
  return localId === '' ? undefined : { clients, keys: Number(keys), state, localId };
}

/** Expects a refusal: exit code 2, nothing on stdout, and on stderr one line, which it gives. */
function sentenceOf(outcome: Outcome): string {
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
  expect(outcome.stderr).not.toMatch(/\.ts:\d+|\bat \S+ \(/);
  return outcome.stderr.trimEnd();
}

describe('add', () => {
  it('makes a user of a new client, and shows the password it made up', async () => {
    const outcome = await account('add', 'ann', '--client', 'anns');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^user: ann\npassword: \S{20}\nclient_id: anns\nlocal_id: \S+\n$/);
    const localId = printedOnce(outcome.stdout, 'local_id');
    expect(localId).toMatch(UUID);
    expect(await listed('ann')).toEqual({ clients: 'anns', keys: 0, state: 'enabled', localId });
  });

  it('makes up another password each time', async () => {
    const outcomes = [
      await account('add', 'twin-1', '--client', 'twins'),
      await account('add', 'twin-2', '--client', 'twins'),
    ];
    const [one, other] = outcomes.map(({ stdout }) => printedOnce(stdout, 'password'));
    expect(one).not.toBe(other);
  });

  it('reads a password from its input, and never shows it', async () => {
    const outcome = await runAccount(
      data,
      ['add', 'reader', '--client', 'readers', '--password-stdin'],
      'päss: word 🦊\n',
    );
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^user: reader\nclient_id: readers\nlocal_id: \S+\n$/);
    expect((await listed('reader'))?.clients).toBe('readers');
  });

  it('takes a short password with a warning', async () => {
    const outcome = await runAccount(data, ['add', 'brief', '--client', 'briefs', '--password-stdin'], 'short');
    expect(outcome).toMatchObject({
      code: 0,
      stderr: 'This password is short: fewer than 8 characters are easily guessed.\n',
    });
  });

  it('takes a name for a text, whatever is in it', async () => {
    const names = ['Zoë Ünïcode 🦊', '山田太郎', "Robert'); DROP TABLE users;--", '$(id) `id` "x" \\ %s'];
    for (const name of names) expect(await account('add', name, '--client', 'names')).toMatchObject({ code: 0 });
    const { stdout } = await account('list');
    expect(names.filter((name) => !stdout.includes(`\n${name}  `))).toEqual([]);
  });

  it('takes two spellings of the same letters for one name', async () => {
    await account('add', 'Jos\u00e9', '--client', 'spellings');
    const again = await account('add', 'Jose\u0301', '--client', 'spellings');
    expect(sentenceOf(again)).toBe('There is a user Jos\u00e9 already: choose another name, or use "join".');
  });

  it('refuses a name that is taken, and makes no client either', async () => {
    await account('add', 'taken', '--client', 'takers');
    const before = rowsIn(data);
    const again = await account('add', 'taken', '--client', 'late-comers');
    expect(sentenceOf(again)).toBe('There is a user taken already: choose another name, or use "join".');
    expect(rowsIn(data)).toEqual(before);
  });
});

describe('join', () => {
  it('puts a user into one more client, once', async () => {
    await account('add', 'joiner', '--client', 'home');
    for (const _ of ['at first', 'and again']) {
      const outcome = await account('join', 'joiner', '--client', 'abroad');
      expect(outcome).toEqual({ code: 0, stdout: 'user: joiner\nclient_id: abroad\n', stderr: '' });
    }
    expect((await listed('joiner'))?.clients.split(', ').toSorted()).toEqual(['abroad', 'home']);
  });

  it('gives the role that is named, to a member too, and without one changes none', async () => {
    await account('add', 'promoted', '--client', 'first-home');
    const localId = (await listed('promoted'))?.localId;
    for (const [role, stored] of [
      [['--role', 'member'], 'member'],
      [[], 'member'],
      [['--role', 'owner'], 'owner'],
    ] as const) {
      const outcome = await account('join', 'promoted', '--client', 'second-home', ...role);
      const shown = role.length > 0 ? `role: ${role[1]}\n` : '';
      const stdout = `user: promoted\nclient_id: second-home\n${shown}`;
      expect(outcome).toEqual({ code: 0, stdout, stderr: '' });
      const membership = { user_id: localId, client_id: 'second-home', role: stored };
      expect(rowsIn(data)['members']).toContainEqual(expect.objectContaining(membership));
    }
  });
});

describe('password', () => {
  it('makes up a new one and shows it', async () => {
    const added = await account('add', 'forgetful', '--client', 'forgetful');
    const outcome = await account('password', 'forgetful');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^user: forgetful\npassword: \S{20}\n$/);
    expect(printedOnce(outcome.stdout, 'password')).not.toBe(printedOnce(added.stdout, 'password'));
  });

  it('reads a new one from its input', async () => {
    await account('add', 'chooser', '--client', 'choosers');
    const outcome = await runAccount(data, ['password', 'chooser', '--password-stdin'], 'correct horse battery\r\n');
    expect(outcome).toEqual({ code: 0, stdout: 'user: chooser\n', stderr: '' });
  });
});

describe('reset', () => {
  it('prints a link, of which only the newest is kept open, and no secret stays in the database', async () => {
    await account('add', 'locked-out', '--client', 'lockers');
    const links = [];
    for (const args of [[], ['--origin', 'https://go.example.com']]) {
      const outcome = await account('reset', 'locked-out', ...args);
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      expect(outcome.stdout).toMatch(/^user: locked-out\nreset_link: \S+\ngood_until: \S+Z\n$/);
      links.push(printedOnce(outcome.stdout, 'reset_link'));
    }
    expect(links[0]).toMatch(/^http:\/\/localhost:8787\/platform\/reset\/[0-9A-Za-z]{43}$/);
    expect(links[1]).toMatch(/^https:\/\/go\.example\.com\/platform\/reset\/[0-9A-Za-z]{43}$/);
    const localId = (await listed('locked-out'))?.localId;
    const rows = rowsIn(data)['password_resets'];
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ user_id: localId, ended_at: expect.any(Number) }),
        expect.objectContaining({ user_id: localId, ended_at: null }),
      ]),
    );
    for (const link of links) expect(JSON.stringify(rows)).not.toContain(link?.split('/').at(-1));
  });
});

describe('disable and enable', () => {
  it('switch a user off and on again', async () => {
    await account('add', 'switched', '--client', 'switches');
    expect(await account('disable', 'switched')).toMatchObject({
      code: 0,
      stdout: 'switched is disabled: every key, token and sign-in of theirs is refused.\n',
    });
    expect((await listed('switched'))?.state).toBe('disabled');
    expect(await account('enable', 'switched')).toMatchObject({
      code: 0,
      stdout: 'switched is enabled; sign-ins that had ended stay ended.\n',
    });
    expect((await listed('switched'))?.state).toBe('enabled');
  });
});

describe('key', () => {
  it('makes a key, which it shows this once', async () => {
    await account('add', 'keyed', '--client', 'keys');
    const outcome = await account('key', 'keys', '--name', "x'); DROP TABLE api_keys;-- 🗝");
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^client_id: keys\napi_key: tk_[A-Za-z0-9]+_\S+\n$/);
    expect((await listed('keyed'))?.keys).toBe(1);
    expect((await account('list')).stdout).not.toContain(printedOnce(outcome.stdout, 'api_key'));
  });

  it('refuses a client that has nobody to answer for the key', async () => {
    await account('add', 'absent', '--client', 'deserted');
    await account('disable', 'absent');
    const sentence = 'has no enabled user: add one first.';
    expect(sentenceOf(await account('key', 'deserted', '--name', 'x'))).toBe(`The client deserted ${sentence}`);
    expect(sentenceOf(await account('key', 'unheard-of', '--name', 'x'))).toBe(`The client unheard-of ${sentence}`);
    expect((await listed('absent'))?.keys).toBe(0);
  });
});

describe('domain', () => {
  it('makes a host a domain of a client, in the one way it is compared', async () => {
    await account('add', 'hostess', '--client', 'hosts');
    const outcome = await account('domain', 'GO.Bücher.Example.', '--client', 'hosts');
    expect(outcome).toEqual({ code: 0, stdout: 'domain: go.xn--bcher-kva.example\nclient_id: hosts\n', stderr: '' });
  });

  it('gives a host to one client only', async () => {
    await account('add', 'rival-1', '--client', 'rivals-1');
    await account('add', 'rival-2', '--client', 'rivals-2');
    expect(await account('domain', 'both.example.com', '--client', 'rivals-1')).toMatchObject({ code: 0 });
    const sentence = 'Either there is no client rivals-2, or both.example.com is a domain already.';
    expect(sentenceOf(await account('domain', 'BOTH.example.com', '--client', 'rivals-2'))).toBe(sentence);
  });
});

describe('list', () => {
  it('says how to begin where there is nobody yet', async () => {
    const outcome = await runAccount(makeFolder(), ['list']);
    const stdout = 'There are no users yet: npm run account -- add USER --client CLIENT\n';
    expect(outcome).toEqual({ code: 0, stdout, stderr: '' });
  });
});

describe('signing-key', () => {
  it('puts a new key before those in a file, for a rotation', async () => {
    const file = join(makeFolder(), 'token-keys.json');
    const older = (await account('signing-key')).stdout;
    writeFileSync(file, older);
    const { code, stdout } = await runTool(['scripts/account.ts', 'signing-key', '--before', file]);
    const [newest, ...rest] = JSON.parse(stdout);
    expect([code, rest]).toEqual([0, JSON.parse(older)]);
    expect(newest).not.toEqual(rest[0]);
    const nowhere = await runTool(['scripts/account.ts', 'signing-key', '--before', `${file}.gone`]);
    expect(sentenceOf(nowhere)).toBe(
      `--before takes a file with a JSON list of signing keys, which ${file}.gone is not.`,
    );
  });

  it('prints a list with one new key, as TOKEN_KEYS takes it', async () => {
    const outcomes = [await account('signing-key'), await account('signing-key')];
    const keys = outcomes.map(({ stdout }) => parseTokenKeys(stdout));
    for (const key of keys) expect(key).toHaveLength(1);
    expect(keys[0]).not.toEqual(keys[1]);
  });
});

describe('the tool', () => {
  it.each([[[]], [['add', '--help']]])('explains itself when given %j', async (args) => {
    const outcome = await runAccount(data, args);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^Usage: npm run account -- COMMAND/);
    const commands = ['add', 'join', 'password', 'disable', 'enable', 'key', 'domain', 'list', 'signing-key'];
    for (const command of commands) expect(outcome.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  it('leaves nothing behind in the folder for temporary files, whether it goes well or not', async () => {
    const env = strangersEnv();
    for (const command of [['list'], ['disable', 'unheard-of']]) {
      await runProcess(NODE, ['scripts/account.ts', ...command, '--persist-to', data], { cwd: ROOT, env });
    }
    expect(readdirSync(env.TMPDIR)).toEqual([]);
  });

  it('says who can cure it where no data can be kept', async () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    const sentence = sentenceOf(await runAccount(file, ['list']));
    expect(sentence).toBe(`No data can be kept in ${file}: choose a folder of yours with --persist-to DIR.`);
  });
});

const USER_RULE = 'USER must be 1 to 128 characters without colons, and no spaces around it.';
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
    [['add', 'new', 'er', '--client', 'presents'], '"add" does not take "er": put words with spaces in quotes.'],
    [['add', 'new', '--client', 'presents', '--name', 'x'], '"add" does not take --name.'],
    [['add', 'new', '--clint', 'presents'], "Unknown option '--clint'"],
    [['add', 'present', '--client', 'new'], 'There is a user present already: choose another name, or use "join".'],
  ],
  join: [
    [['join', 'present'], '--client is missing: give it with a value.'],
    [['join', 'present', '--client', 'presents', '--role', 'guest'], '--role must be owner or member.'],
    [['key', 'presents', '--name', 'x', '--role', 'owner'], '"key" does not take --role.'],
    [
      ['join', 'nobody', '--client', 'new'],
      'There is no user nobody: "npm run account -- list" shows those there are.',
    ],
  ],
  password: [
    [['password'], '"password" takes a USER'],
    [['password', 'nobody'], 'There is no user nobody'],
    [['password', 'present', 'secret'], '"password" does not take "secret"'],
  ],
  reset: [
    [['reset'], '"reset" takes a USER'],
    [['reset', 'nobody'], 'There is no user nobody'],
    [['reset', 'present', '--origin', 'https://go.example.com/x'], '--origin must be an http or https origin'],
    [['reset', 'present', '--name', 'x'], '"reset" does not take --name.'],
    [['reset', 'present', '--remote', '--persist-to', 'x'], '--origin is missing, and PUBLIC_URL is empty'],
  ],
  'disable and enable': [
    [['disable'], '"disable" takes a USER'],
    [['disable', "present' OR '1'='1"], "There is no user present' OR '1'='1"],
    [['disable', 'present', '--client', 'presents'], '"disable" does not take --client.'],
  ],
  key: [
    [['key', 'presents'], '--name is missing: give it with a value.'],
    [['key', 'presents', '--name', ''], '--name must be 1 to 64 characters, and no spaces around it.'],
    [['key', "presents' --", '--name', 'x'], `CLIENT ${CLIENT_RULE}`],
    [['key', 'unheard-of', '--name', 'x'], 'The client unheard-of has no enabled user: add one first.'],
  ],
  domain: [
    [['domain', 'go.example.com'], '--client is missing: give it with a value.'],
    [['domain', 'localhost', '--client', 'presents'], 'HOST must be a host name such as go.example.com.'],
    [['domain', 'https://go.example.com/', '--client', 'presents'], 'HOST must be a host name'],
    [['domain', '127.1', '--client', 'presents'], 'HOST must be a host name'],
    [['domain', 'go.example.com', '--client', 'unheard-of'], 'Either there is no client unheard-of'],
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
    await account('add', 'present', '--client', 'presents');
    await account('key', 'presents', '--name', 'old');
  });

  it.each(Object.keys(BAD_INPUT))('is refused in one sentence and changes nothing: %s', async (command) => {
    const before = rowsIn(data);
    for (const [args, says] of BAD_INPUT[command] ?? []) {
      expect(sentenceOf(await runAccount(data, args)), args.join(' ')).toContain(says);
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
  ])('is refused as a password, and the old one stays: %s', async (_, stdin, sentence) => {
    const before = rowsIn(data);
    const outcome = await runAccount(data, ['password', 'present', '--password-stdin'], stdin);
    expect(sentenceOf(outcome)).toBe(sentence);
    expect(rowsIn(data)).toEqual(before);
  });
});

describe('--remote', () => {
  it('without credentials says what is missing', async () => {
    const outcome = await runTool(['scripts/account.ts', 'list', '--remote']);
    expect(sentenceOf(outcome)).toMatch(
      /^Cloudflare cannot be asked for the database "terse" \(.*CLOUDFLARE_API_TOKEN.*\): sign in with "npx wrangler login"\.$/,
    );
  });
});

describe('block, unblock and blocked', () => {
  it('keep a list of hosts, in one spelling each', async () => {
    expect((await account('blocked')).stdout).toBe('No host is blocked: npm run account -- block HOST\n');
    expect(await account('block', 'EVIL.example.')).toMatchObject({
      code: 0,
      stdout: 'evil.example is blocked, with all below it: links there stop leading to it within minutes.\n',
    });
    expect((await account('block', '2001:DB8::1')).stdout).toMatch(/^\[2001:db8::1\] is blocked, /);
    const { stdout } = await account('blocked');
    expect(stdout).toMatch(/^HOST +SINCE\n\[2001:db8::1\] +20\S+Z\nevil\.example +20\S+Z\n$/);
    expect(sentenceOf(await account('block', 'evil.example'))).toBe(
      'evil.example is blocked already: "npm run account -- blocked" lists all.',
    );
    expect((await account('unblock', 'Evil.Example')).stdout).toBe(
      'evil.example is unblocked: links lead there again within minutes.\n',
    );
    expect(sentenceOf(await account('unblock', 'evil.example'))).toBe(
      'evil.example is not blocked itself: "npm run account -- blocked" lists all.',
    );
  });

  it.each(['https://evil.example/', 'evil', '192.0.2.0/24'])('refuse %s', async (host) => {
    const sentence = 'HOST must be a host name such as evil.example, or an IP address.';
    expect(sentenceOf(await account('block', host))).toBe(sentence);
    expect(sentenceOf(await account('unblock', host))).toBe(sentence);
  });
});
