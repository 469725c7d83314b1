import type { Readable } from 'node:stream';
import { arrayBuffer } from 'node:stream/consumers';
import * as z from 'zod';
import { roleField } from '../src/accounts/members/members.ts';
import {
  clientId,
  keyName,
  newUserName,
  password as passwordSchema,
  subject as subjectSchema,
  userName,
} from '../src/accounts/users/names.ts';
import { generatePassword } from '../src/accounts/users/password.ts';
import { parseDomainName } from '../src/network/hosts.ts';
import { BLOCKLIST_COMMANDS } from './blocklist-commands.ts';
import { columns } from './columns.ts';
import type { Command, Options } from './command.ts';
import { UsageError } from './cli-error.ts';
import { MAIL_COMMANDS } from './mail-command.ts';
import { LOG_COMMANDS } from './log-command.ts';
import { readPublicOrigin } from './settings.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
  add: {
    operand: 'USER',
    takes: ['client', 'password-stdin'],
    async prepare(operand, options, input) {
      const name = check(newUserName(), operand, 'USER');
      const client = check(clientId(), required(options, 'client'), '--client');
      const { password, shown } = await choosePassword(options, input);
      return async (service) => {
        const { local_id } = await service.ask('add-user', { name, client_id: client, password }, added);
        return lines({ user: name, ...shown, client_id: client, local_id });
      };
    },
  },
  join: {
    operand: 'USER',
    takes: ['client', 'role'],
    async prepare(operand, options) {
      const name = check(userName(), operand, 'USER');
      const client = check(clientId(), required(options, 'client'), '--client');
      const role = options.role === undefined ? undefined : check(roleField(), options.role, '--role');
      return async (service) => {
        await service.ask('join-client', { name, client_id: client, role }, done);
        return lines({ user: name, client_id: client, ...(role && { role }) });
      };
    },
  },
  password: {
    operand: 'USER',
    takes: ['password-stdin'],
    async prepare(operand, options, input) {
      const name = check(userName(), operand, 'USER');
      const { password, shown } = await choosePassword(options, input);
      return async (service) => {
        await service.ask('change-password', { name, password }, done);
        return lines({ user: name, ...shown });
      };
    },
  },
  reset: {
    operand: 'USER',
    takes: ['origin'],
    async prepare(operand, options) {
      const name = check(userName(), operand, 'USER');
      const given = readOrigin(options);
      return async (service) => {
        const origin = given ?? service.origin;
        // Checked before the link is created, since that ends the earlier link.
        if (origin === null) throw unknownOrigin();
        const link = await service.ask('make-reset-link', { name }, resetLink);
        return lines({ user: link.name, reset_link: `${origin}${link.path}`, good_until: link.good_until });
      };
    },
  },
  disable: forUser('disable-user', 'is disabled: all keys, tokens and sign-ins of the user stop working.'),
  enable: forUser('enable-user', 'is enabled; revoked sign-ins stay revoked.'),
  'reset-factors': forUser(
    'reset-factors',
    'has no second factors and passkeys left, and is signed out everywhere. The user and the owners see it. ' +
      'An account without a password needs one now: the command "password".',
  ),
  connect: {
    operand: 'USER',
    takes: ['access', 'oidc'],
    async prepare(operand, { access, oidc }) {
      const name = check(userName(), operand, 'USER');
      if ((access === undefined) === (oidc === undefined))
        throw new UsageError('"connect" takes one subject: --access SUBJECT or --oidc SUBJECT.');
      const at = access === undefined ? 'oidc' : 'access';
      const subject = check(subjectSchema(), access ?? oidc ?? '', `--${at}`);
      return async (service) => {
        await service.ask('connect-user', { name, at, subject }, done);
        return `${name} is connected with ${subject}; sessions of a former subject are signed out. The user and the owners see it.`;
      };
    },
  },
  key: {
    operand: 'CLIENT',
    takes: ['name'],
    async prepare(operand, options) {
      const client = check(clientId(), operand, 'CLIENT');
      const name = check(keyName(), required(options, 'name'), '--name');
      return async (service) => {
        const { api_key } = await service.ask('make-key', { client_id: client, name }, key);
        return lines({ client_id: client, api_key });
      };
    },
  },
  domain: {
    operand: 'HOST',
    takes: ['client'],
    async prepare(operand, options) {
      const host = parseDomainName(operand);
      if (host === null) throw new UsageError('HOST must be a host name such as go.example.com.');
      const client = check(clientId(), required(options, 'client'), '--client');
      return async (service) => {
        await service.ask('add-domain', { host, client_id: client }, done);
        return lines({ domain: host, client_id: client });
      };
    },
  },
  ...BLOCKLIST_COMMANDS,
  ...LOG_COMMANDS,
  ...MAIL_COMMANDS,
  list: {
    operand: null,
    takes: [],
    prepare: async () => async (service) => table((await service.askWithRetry('list-users', {}, accountList)).users),
  },
};

const done = z.object({});
const added = z.object({ local_id: z.string() });
const resetLink = z.object({ path: z.string(), name: z.string(), good_until: z.string() });
const key = z.object({ api_key: z.string() });
const accountList = z.object({
  users: z.array(
    z.object({
      local_id: z.string(),
      name: z.string(),
      disabled_at: z.int().nullable(),
      clients: z.string().nullable(),
      keys: z.int(),
    }),
  ),
});

function forUser(verb: string, outcome: string): Command {
  return {
    operand: 'USER',
    takes: [],
    async prepare(operand) {
      const name = check(userName(), operand, 'USER');
      return async (service) => {
        await service.ask(verb, { name }, done);
        return `${name} ${outcome}`;
      };
    },
  };
}

// Without --origin the link has the origin of the service that the tool has found.
function readOrigin({ origin }: Options): string | null {
  return origin ?? readPublicOrigin();
}

function unknownOrigin(): UsageError {
  return new UsageError(
    'The origin of the service is not known, since "npm start" has not run with this data yet: give --origin URL.',
  );
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

async function choosePassword(
  options: Options,
  input: Readable,
): Promise<{ password: string; shown: { password?: string } }> {
  if (!options['password-stdin']) {
    const password = generatePassword();
    return { password, shown: { password } };
  }
  const password = check(passwordSchema(), (await readText(input)).replace(/\r?\n$/, ''), 'The password');
  if (password.length < 8)
    console.error('This password is short: passwords of fewer than 8 characters are easy to guess.');
  return { password, shown: {} };
}

// Bytes that are not UTF-8 would become U+FFFD, which cannot be typed.
async function readText(input: Readable): Promise<string> {
  const bytes = await arrayBuffer(input);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new UsageError('The password is not UTF-8: send it in that encoding.', { cause });
  }
}

function lines(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function table(accounts: z.output<typeof accountList>['users']): string {
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
