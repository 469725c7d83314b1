import { existsSync, readFileSync } from 'node:fs';
import { arrayBuffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type * as z from 'zod';
import {
  addMember,
  addUser,
  changePassword,
  createKey,
  disableUser,
  enableUser,
  listAccounts,
} from '../src/accounts/manage.ts';
import { clientId, keyName, password as passwordSchema, userName } from '../src/accounts/names.ts';
import { generatePassword } from '../src/accounts/password.ts';
import type { Database } from '../src/database.ts';
import { parseDomainName } from '../src/domains/host.ts';
import { addActiveDomain } from '../src/domains/manage.ts';
import { generateTokenKey, parseTokenKeys, type TokenKey } from '../src/tokens/keys.ts';
import { applySchema, DEFAULT_PERSIST_TO, withDatabase } from './database.ts';
import { run, UsageError } from './fail.ts';

/** `npm run account -- …`: the operator's tool for users, clients, keys and domains, in the same database as the Worker. */

const USAGE = `Usage: npm run account -- COMMAND [--persist-to DIR | --remote]

  add USER --client CLIENT [--password-stdin]   a new user; the client is made if it is new
  join USER --client CLIENT                     an existing user into one more client
  password USER [--password-stdin]              a new password; ends all sign-ins of the user
  disable USER                                  refuses the user, and every key and token of theirs
  enable USER                                   takes that back; ended sign-ins stay ended
  key CLIENT --name LABEL                       a new API key, shown once
  domain HOST --client CLIENT                   an active custom domain
  list                                          all users
  signing-key [--before FILE]                   a new value for the secret TOKEN_KEYS: one key, or one put before
                                                those in FILE, an earlier value

Without --password-stdin a password is made up and shown once.`;

interface Options {
  readonly client?: string | undefined;
  readonly name?: string | undefined;
  readonly before?: string | undefined;
  readonly 'password-stdin'?: boolean | undefined;
}

/** A command checks its input first, and then gives what there is to do in the database. */
interface Command {
  readonly takes: readonly (keyof Options)[];
  readonly operand: string | null;
  prepare(operand: string, options: Options): Promise<(db: Database) => Promise<string>>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  add: {
    operand: 'USER',
    takes: ['client', 'password-stdin'],
    async prepare(operand, options) {
      const name = check(userName, operand, 'USER');
      const client = check(clientId, required(options, 'client'), '--client');
      const { password, shown } = await choosePassword(options);
      return async (db) => {
        const added = await addUser(db, { name, password, clientId: client });
        if (!added) throw new UsageError(`There is a user ${name} already: choose another name, or use "join".`);
        return lines({ user: name, ...shown, client_id: client, local_id: added.userId });
      };
    },
  },
  join: {
    operand: 'USER',
    takes: ['client'],
    async prepare(operand, options) {
      const name = check(userName, operand, 'USER');
      const client = check(clientId, required(options, 'client'), '--client');
      return async (db) => {
        if (!(await addMember(db, name, client))) throw noSuchUser(name);
        return lines({ user: name, client_id: client });
      };
    },
  },
  password: {
    operand: 'USER',
    takes: ['password-stdin'],
    async prepare(operand, options) {
      const name = check(userName, operand, 'USER');
      const { password, shown } = await choosePassword(options);
      return async (db) => {
        if (!(await changePassword(db, name, password))) throw noSuchUser(name);
        return lines({ user: name, ...shown });
      };
    },
  },
  disable: forUser(disableUser, 'is disabled: every key, token and sign-in of theirs is refused.'),
  enable: forUser(enableUser, 'is enabled; sign-ins that had ended stay ended.'),
  key: {
    operand: 'CLIENT',
    takes: ['name'],
    async prepare(operand, options) {
      const client = check(clientId, operand, 'CLIENT');
      const name = check(keyName, required(options, 'name'), '--name');
      return async (db) => {
        const key = await createKey(db, client, name);
        if (!key) throw new UsageError(`The client ${client} has no enabled user: add one first.`);
        return lines({ client_id: client, api_key: key.text });
      };
    },
  },
  domain: {
    operand: 'HOST',
    takes: ['client'],
    async prepare(operand, options) {
      const host = parseDomainName(operand);
      if (host === null) throw new UsageError('HOST must be a host name such as go.example.com.');
      const client = check(clientId, required(options, 'client'), '--client');
      return async (db) => {
        const added = await addActiveDomain(db, host, client);
        if (!added) throw new UsageError(`Either there is no client ${client}, or ${host} is a domain already.`);
        return lines({ domain: host, client_id: client });
      };
    },
  },
  list: {
    operand: null,
    takes: [],
    prepare: async () => async (db) => table(await listAccounts(db)),
  },
};

await run(async () => {
  const { values, positionals } = readArguments();
  const [name, ...operands] = positionals;
  if (values.help || name === undefined) return console.log(USAGE);
  if (name === 'signing-key') {
    checkShape(name, { operand: null, takes: ['before'] }, operands, values);
    return console.log(JSON.stringify([await generateTokenKey(), ...readKeys(values.before)]));
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}": "npm run account -- --help" lists them.`);
  const work = await command.prepare(checkShape(name, command, operands, values), values);
  if (values.remote && values['persist-to'] !== undefined) {
    throw new UsageError('--remote is the deployed database and --persist-to a local one: give one of them.');
  }
  const place = { remote: values.remote, persistTo: values['persist-to'] ?? DEFAULT_PERSIST_TO };
  const report = await withDatabase(place, async (db) => {
    // A deployed database gets its schema from `npm run deploy`; a local one may not have been started yet.
    if (!place.remote) await applySchema(db);
    return work(db);
  });
  console.log(report);
});

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        client: { type: 'string' },
        name: { type: 'string' },
        before: { type: 'string' },
        'password-stdin': { type: 'boolean' },
        'persist-to': { type: 'string' },
        remote: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    const [sentence] = String(error instanceof Error ? error.message : error).split(/[.\n]/, 1);
    throw new UsageError(`${sentence}: "npm run account -- --help" lists what there is.`, { cause: error });
  }
}

function checkShape(
  name: string,
  command: Pick<Command, 'operand' | 'takes'>,
  operands: readonly string[],
  options: Options,
): string {
  const [operand, extra] = operands;
  if (command.operand !== null && operand === undefined) {
    throw new UsageError(`"${name}" takes a ${command.operand}: npm run account -- ${name} ${command.operand}`);
  }
  const surplus = command.operand === null ? operand : extra;
  if (surplus !== undefined)
    throw new UsageError(`"${name}" does not take "${surplus}": put words with spaces in quotes.`);
  for (const option of ['client', 'name', 'before', 'password-stdin'] as const) {
    if (options[option] !== undefined && !command.takes.includes(option)) {
      throw new UsageError(`"${name}" does not take --${option}.`);
    }
  }
  return operand ?? '';
}

function forUser(verb: (db: Database, name: string) => Promise<boolean>, outcome: string): Command {
  return {
    operand: 'USER',
    takes: [],
    async prepare(operand) {
      const name = check(userName, operand, 'USER');
      return async (db) => {
        if (!(await verb(db, name))) throw noSuchUser(name);
        return `${name} ${outcome}`;
      };
    },
  };
}

function required(options: Options, name: 'client' | 'name'): string {
  const value = options[name];
  if (value === undefined) throw new UsageError(`--${name} is missing: give it with a value.`);
  return value;
}

function check<Schema extends z.ZodType>(schema: Schema, value: string, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UsageError(`${what} ${parsed.error.issues[0]?.message}.`);
  return parsed.data;
}

async function choosePassword(options: Options): Promise<{ password: string; shown: { password?: string } }> {
  if (!options['password-stdin']) {
    const password = generatePassword();
    return { password, shown: { password } };
  }
  const password = check(passwordSchema, (await readStdin()).replace(/\r?\n$/, ''), 'The password');
  if (password.length < 8) console.error('This password is short: fewer than 8 characters are easily guessed.');
  return { password, shown: {} };
}

// Bytes that are no text would become U+FFFD, which nobody can type.
async function readStdin(): Promise<string> {
  const bytes = await arrayBuffer(process.stdin);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new UsageError('The password is not UTF-8: send it in that encoding.', { cause });
  }
}

function readKeys(file: string | undefined): readonly TokenKey[] {
  if (file === undefined) return [];
  const keys = existsSync(file) ? parseTokenKeys(readFileSync(file, 'utf8')) : null;
  if (keys === null)
    throw new UsageError(`--before takes a file with a JSON list of signing keys, which ${file} is not.`);
  return keys;
}

function noSuchUser(name: string): UsageError {
  return new UsageError(`There is no user ${name}: "npm run account -- list" shows those there are.`);
}

function lines(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function table(accounts: Awaited<ReturnType<typeof listAccounts>>): string {
  if (accounts.length === 0) return 'There are no users yet: npm run account -- add USER --client CLIENT';
  const rows = [
    ['USER', 'CLIENTS', 'KEYS', 'STATE', 'LOCAL_ID'],
    ...accounts.map((account) => [
      account.name,
      account.clients ?? '-',
      String(account.keys),
      account.disabled_at === null ? 'enabled' : 'disabled',
      account.local_id,
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
