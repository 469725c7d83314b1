import { arrayBuffer } from 'node:stream/consumers';
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
import { roleField } from '../src/accounts/members.ts';
import { clientId, keyName, password as passwordSchema, userName } from '../src/accounts/names.ts';
import { generatePassword } from '../src/accounts/password.ts';
import { createResetLinkByName } from '../src/accounts/resets.ts';
import type { Database } from '../src/database.ts';
import { parseDomainName } from '../src/domains/host.ts';
import { addActiveDomain } from '../src/domains/manage.ts';
import { BLOCKLIST_COMMANDS } from './blocklist-commands.ts';
import { columns } from './columns.ts';
import type { Command, Options } from './command.ts';
import { UsageError } from './fail.ts';
import { readPublicOrigin } from './settings.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
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
    takes: ['client', 'role'],
    async prepare(operand, options) {
      const name = check(userName, operand, 'USER');
      const client = check(clientId, required(options, 'client'), '--client');
      const role = options.role === undefined ? undefined : check(roleField, options.role, '--role');
      return async (db) => {
        if (!(await addMember(db, name, client, role))) throw noSuchUser(name);
        return lines({ user: name, client_id: client, ...(role && { role }) });
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
  reset: {
    operand: 'USER',
    takes: ['origin'],
    async prepare(operand, options) {
      const name = check(userName, operand, 'USER');
      const origin = await readOrigin(options);
      return async (db) => {
        const made = await createResetLinkByName(db, name);
        if (made === 'no_such_user') throw noSuchUser(name);
        if (made === 'disabled') throw new UsageError(`${name} is disabled: enable them first.`);
        const link = `${origin}/platform/reset/${made.token}`;
        return lines({ user: made.userName, reset_link: link, good_until: new Date(made.expiresAt).toISOString() });
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
  ...BLOCKLIST_COMMANDS,
  list: {
    operand: null,
    takes: [],
    prepare: async () => async (db) => table(await listAccounts(db)),
  },
};

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

// The link has to lead to the service, which this tool never sees.
async function readOrigin({ origin, remote }: Options): Promise<string> {
  if (origin === undefined) {
    const known = (await readPublicOrigin()) ?? (remote ? null : 'http://localhost:8787');
    if (known !== null) return known;
    throw new UsageError(
      '--origin is missing, and PUBLIC_URL is empty: give where the service answers, --origin https://…',
    );
  }
  const url = URL.parse(origin);
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new UsageError('--origin must be an http or https origin without a path, such as https://go.example.com.');
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
  return columns(rows);
}
