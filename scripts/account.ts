import { existsSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { generateSealingKey, parseSealingKeys } from '../src/secrets/sealing.ts';
import { generateTokenKey } from '../src/tokens/keys.ts';
import { parseTokenKeys } from '../src/secrets/jwks.ts';
import { COMMANDS } from './account-commands.ts';
import type { Command, Options } from './command.ts';
import { optionFault, run, UsageError } from './cli-error.ts';
import { LOCATION_OPTIONS, LOCATION_USAGE, readLocation } from './location.ts';
import { withService } from './operator.ts';
import { checkOrigin } from './settings.ts';

/**
 * `npm run account -- …`: the operator's tool for users, clients, keys, domains and blocked hosts, in the same database
 * as the Worker.
 */

const USAGE = `Usage: npm run account -- COMMAND ${LOCATION_USAGE}

  add USER --client CLIENT [--password-stdin]   creates a user, and the client if it is new
  join USER --client CLIENT [--role ROLE]       adds an existing user to a client, or changes the role of
                                                a member: owner (default) or member
  password USER [--password-stdin]              sets a new password and signs the user out everywhere
  reset USER [--origin URL]                     creates a link to choose a new password, once and within
                                                24 hours; without --origin on PUBLIC_URL, or on the
                                                address of the local server
  reset-factors USER                            removes the second factors and passkeys of a user who has lost
                                                them, and signs the user out everywhere
  connect USER --access SUBJECT                 lets the person with this subject at Cloudflare Access sign in
                                                as the user, in place of the person before
  connect USER --oidc SUBJECT                   the same at the identity provider of the service
  disable USER                                  blocks the user, with all of their keys and tokens
  enable USER                                   enables the user again; revoked sign-ins stay revoked
  key CLIENT --name LABEL                       creates an API key, which is shown only once
  domain HOST --client CLIENT                   adds a custom domain, without verification
  block HOST                                    blocks all links to a host and its subdomains
  unblock HOST                                  removes the block
  blocked                                       lists all blocked hosts
  list                                          lists all users, with clients that their owners have deleted
  log [--limit N]                               prints what these tools have done, newest first: the
                                                newest 100, or up to 1000
  mails [--limit N]                             prints the mails that were not sent in the last 30 days
  signing-key [--before FILE]                   prints a new value for the secret TOKEN_KEYS: one new
                                                key, followed by the keys in FILE
  webhook-key [--before FILE]                   the same for the secret WEBHOOK_KEYS

Without --password-stdin a password is generated and shown only once. With --remote the command is sent to the deployed
service, where "npm run deploy" has put it or at --origin, with the key in operator-key.json that it creates in this
folder.`;

if (import.meta.main) await run(() => account(process.argv.slice(2), process.stdin));

/**
 * Runs the tool. Throws `UsageError`.
 *
 * @param input the stream that gives a command a password
 * @param serve opens the service; tests with many commands keep one open
 */
export async function account(args: readonly string[], input: Readable, serve = withService): Promise<void> {
  const { values, positionals } = readArguments(args);
  const [name, ...operands] = positionals;
  if (values.help || name === undefined) return console.log(USAGE);
  if (name === 'signing-key' || name === 'webhook-key') {
    checkShape(name, { operand: null, takes: ['before'] }, operands, values);
    const keys =
      name === 'signing-key'
        ? [await generateTokenKey(), ...readKeys(values.before, parseTokenKeys, 'signing keys')]
        : [generateSealingKey(), ...readKeys(values.before, parseSealingKeys, 'keys for webhooks')];
    return console.log(JSON.stringify(keys));
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}": "npm run account -- --help" lists them.`);
  const operand = checkShape(name, command, operands, values);
  if (values.origin !== undefined) checkOrigin(values.origin);
  const work = await command.prepare(operand, values, input);
  console.log(await serve(readLocation(values), work));
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        client: { type: 'string' },
        name: { type: 'string' },
        role: { type: 'string' },
        before: { type: 'string' },
        access: { type: 'string' },
        oidc: { type: 'string' },
        limit: { type: 'string' },
        'password-stdin': { type: 'boolean' },
        ...LOCATION_OPTIONS,
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw optionFault('account', error);
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
    throw new UsageError(`"${name}" does not take "${surplus}": put values with spaces in quotes.`);
  const known = ['client', 'name', 'role', 'before', 'access', 'oidc', 'limit', 'origin', 'password-stdin'] as const;
  for (const option of known) {
    const isLocationOption = option === 'origin' && options.remote === true;
    if (options[option] !== undefined && !command.takes.includes(option) && !isLocationOption) {
      throw new UsageError(`"${name}" does not take --${option}.`);
    }
  }
  return operand ?? '';
}

function readKeys<Key>(
  file: string | undefined,
  parse: (text: string) => readonly Key[] | null,
  things: string,
): readonly Key[] {
  if (file === undefined) return [];
  const keys = existsSync(file) ? parse(readFileSync(file, 'utf8')) : null;
  if (keys === null) throw new UsageError(`--before takes a file with a JSON list of ${things}, which ${file} is not.`);
  return keys;
}
