import { describe, expect, it } from 'vitest';
import { keepOrigin } from '../../../scripts/state.ts';
import { rowsIn } from '../../scripts/support/data.ts';
import { makeFolder } from '../../scripts/support/processes.ts';
import { printedOnce, runAccount } from '../../scripts/support/project.ts';
import { account, accountWith, data, listed, seedUser, sentenceOf } from '../../scripts/support/account.ts';
import { callAccount } from '../../scripts/support/tools.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('add', () => {
  it('the command add creates a user of a new client, and shows the generated password', async () => {
    const outcome = await account('add', 'ann', '--client', 'anns');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^user: ann\npassword: \S{20}\nclient_id: anns\nlocal_id: \S+\n$/);
    const localId = printedOnce(outcome.stdout, 'local_id');
    expect(localId).toMatch(UUID);
    expect(await listed('ann')).toEqual({ clients: 'anns', keys: 0, state: 'enabled', localId });
  });

  it('the command add generates another password each time', async () => {
    const outcomes = [
      await account('add', 'twin-1', '--client', 'twins'),
      await account('add', 'twin-2', '--client', 'twins'),
    ];
    const [one, other] = outcomes.map(({ stdout }) => printedOnce(stdout, 'password'));
    expect(one).not.toBe(other);
  });

  it('the command add reads a password from its input, and never shows it', async () => {
    const folder = makeFolder();
    const args = ['add', 'reader', '--client', 'readers', '--password-stdin'];
    const outcome = await runAccount(folder, args, 'päss: word 🦊\n');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^user: reader\nclient_id: readers\nlocal_id: \S+\n$/);
    expect((await callAccount(['list', '--persist-to', folder])).stdout).toMatch(/^reader +readers +0 +enabled /m);
  });

  it('the command add takes a short password with a warning', async () => {
    const outcome = await accountWith('short', 'add', 'brief', '--client', 'briefs', '--password-stdin');
    expect(outcome).toMatchObject({
      code: 0,
      stderr: 'This password is short: passwords of fewer than 8 characters are easy to guess.\n',
    });
  });

  it('the command add takes a name for a text, whatever is in it', async () => {
    const names = ['Zoë Ünïcode', '山田太郎', "Robert'); DROP TABLE users;--", '$(id) `id` "x" \\ %s'];
    for (const name of names) expect(await account('add', name, '--client', 'names')).toMatchObject({ code: 0 });
    const { stdout } = await account('list');
    expect(names.filter((name) => !stdout.includes(`\n${name}  `))).toEqual([]);
  });

  it('the command add takes two spellings of the same letters for one name', async () => {
    await account('add', 'Jos\u00e9', '--client', 'spellings');
    const again = await account('add', 'Jose\u0301', '--client', 'spellings');
    expect(sentenceOf(again)).toBe('The user Jos\u00e9 already exists: choose another name, or use "join".');
  });

  it('the command add refuses a name that is taken, and creates no client either', async () => {
    await seedUser('taken', 'takers');
    const before = rowsIn(data);
    const again = await account('add', 'taken', '--client', 'late-comers');
    expect(sentenceOf(again)).toBe('The user taken already exists: choose another name, or use "join".');
    expect(rowsIn(data)).toEqual(before);
  });
});

describe('join', () => {
  it('the command join puts a user into one more client, once', async () => {
    await seedUser('joiner', 'home');
    for (const _ of ['at first', 'and again']) {
      const outcome = await account('join', 'joiner', '--client', 'abroad');
      expect(outcome).toEqual({ code: 0, stdout: 'user: joiner\nclient_id: abroad\n', stderr: '' });
    }
    expect((await listed('joiner'))?.clients.split(', ').toSorted()).toEqual(['abroad', 'home']);
  });

  it('the command join gives the role that is named, to a member too, and without one changes none', async () => {
    const localId = await seedUser('promoted', 'first-home');
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
  it('the command password generates a new one and shows it', async () => {
    const added = await account('add', 'forgetful', '--client', 'forgetful');
    const outcome = await account('password', 'forgetful');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^user: forgetful\npassword: \S{20}\n$/);
    expect(printedOnce(outcome.stdout, 'password')).not.toBe(printedOnce(added.stdout, 'password'));
  });

  it('the command password reads a new one from its input', async () => {
    await seedUser('chooser', 'choosers');
    const outcome = await accountWith('correct horse battery\r\n', 'password', 'chooser', '--password-stdin');
    expect(outcome).toEqual({ code: 0, stdout: 'user: chooser\n', stderr: '' });
  });
});

describe('reset', () => {
  it('the command reset prints a link, the newest of which alone is open, and no secret stays in the database', async () => {
    const localId = await seedUser('locked-out', 'lockers');
    const links = [];
    for (const origin of ['http://localhost:9999', 'https://go.example.com']) {
      const outcome = await account('reset', 'locked-out', '--origin', origin);
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      expect(outcome.stdout).toMatch(/^user: locked-out\nreset_link: \S+\ngood_until: \S+Z\n$/);
      links.push(printedOnce(outcome.stdout, 'reset_link'));
    }
    expect(links[0]).toMatch(/^http:\/\/localhost:9999\/platform\/reset\/[0-9A-Za-z]{43}$/);
    expect(links[1]).toMatch(/^https:\/\/go\.example\.com\/platform\/reset\/[0-9A-Za-z]{43}$/);
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

describe('reset without a server', () => {
  it('the command reset without a server prints a link with the last origin of the server, and no link before its first start', async () => {
    await seedUser('waiting', 'waiters');
    const before = rowsIn(data);
    expect(sentenceOf(await account('reset', 'waiting'))).toBe(
      'The origin of the service is not known, since "npm start" has not run with this data yet: give --origin URL.',
    );
    expect(rowsIn(data)).toEqual(before);
    keepOrigin(data, 'http://localhost:8899');
    const { stdout } = await account('reset', 'waiting');
    expect(printedOnce(stdout, 'reset_link')).toMatch(/^http:\/\/localhost:8899\/platform\/reset\/[0-9A-Za-z]{43}$/);
  });
});

describe('disable and enable', () => {
  it('the commands disable and enable switch a user off and on again', async () => {
    await seedUser('switched', 'switches');
    expect(await account('disable', 'switched')).toMatchObject({
      code: 0,
      stdout: 'switched is disabled: all keys, tokens and sign-ins of the user stop working.\n',
    });
    expect((await listed('switched'))?.state).toBe('disabled');
    expect(await account('enable', 'switched')).toMatchObject({
      code: 0,
      stdout: 'switched is enabled; revoked sign-ins stay revoked.\n',
    });
    expect((await listed('switched'))?.state).toBe('enabled');
  });
});

it('the command reset-factors says what is left, and what an account without a password needs', async () => {
  await seedUser('lost-phone', 'phones');
  expect(await account('reset-factors', 'lost-phone')).toEqual({
    code: 0,
    stdout:
      'lost-phone has no second factors and passkeys left, and is signed out everywhere. The user and the owners see it. ' +
      'An account without a password needs one now: the command "password".\n',
    stderr: '',
  });
});
