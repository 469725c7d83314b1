import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { generateApiKey } from '../../src/accounts/keys/api-key.ts';
import { generatePassword } from '../../src/accounts/users/password.ts';
import { UsageError } from '../cli-error.ts';
import { CLIENT, KEY_LABEL, USER } from '../first-account.ts';
import { writeSecretFile } from '../secret-file.ts';
import type { Service } from '../operator-service.ts';
import type { Environment } from './project.ts';
import { firstAccountFile } from './secrets.ts';

/** The accounts that a deploy creates: the first one, and one whose links are only for checks of a deploy. */

const CHECK = 'terse-deploy';
const CHECK_KEY_SECONDS = 600;

const users = z.object({ users: z.array(z.looseObject({ name: z.string() })) });
const key = z.object({ api_key: z.string() });
const kept = z.object({
  user: z.string(),
  password: z.string(),
  client_id: z.string(),
  api_key: z.string().optional(),
  /** True if the service has the key; absent in a file of version 1.2, whose key it has. */
  has_key: z.boolean().optional(),
  short_url: z.string().optional(),
});

/** An account, and a key to create links with. */
export interface Account {
  readonly clientId: string;
  readonly apiKey: string;
}

/** An account that was created just now; its password and key are shown only once. */
export interface FirstAccount extends Account {
  readonly password: string;
  /** The first link, once it was followed; null before. */
  readonly shortUrl: string | null;
}

/**
 * Creates the first account, or finishes an attempt that was interrupted; null if the service has accounts. Until
 * `forgetFirstAccount`, the password is in a file that only its owner can read, so that it is not lost.
 */
export async function ensureFirstAccount(service: Service, environment: Environment): Promise<FirstAccount | null> {
  const file = firstAccountFile(environment);
  const existing = await userNames(service);
  const isBegun = existsSync(file);
  if (existing.some((name) => name !== CHECK) && !isBegun) return null;
  if (!isBegun) {
    const account = { user: USER, password: generatePassword(), client_id: CLIENT };
    writeSecretFile(file, JSON.stringify(account));
  }
  const { user, password, client_id, ...former } = readFile(file);
  const isThere = existing.includes(user);
  if (!isThere) await service.ask('add-user', { name: user, password, client_id }, z.object({}));
  // A database that was deleted since had another link, and the key too.
  const begun = isThere ? former : { ...former, has_key: false, short_url: undefined };
  const { api_key = generateApiKey().text, has_key = begun.api_key !== undefined, short_url } = begun;
  if (!has_key) {
    // Kept first, so that the same key is sent again if there is no answer.
    writeFile(file, { user, password, client_id, api_key, has_key, short_url });
    await service.ask('make-key', { client_id, name: KEY_LABEL, lifetime_seconds: null, api_key }, key);
  }
  writeFile(file, { user, password, client_id, api_key, has_key: true, short_url });
  return { password, clientId: client_id, apiKey: api_key, shortUrl: short_url ?? null };
}

/** Keeps that the first link was followed, so that a later deploy creates no second one. */
export function keepFirstLink(environment: Environment, shortUrl: string): void {
  const file = firstAccountFile(environment);
  writeFile(file, { ...readFile(file), short_url: shortUrl });
}

/** Deletes the file of the first account, once its password was shown. */
export function forgetFirstAccount(environment: Environment): void {
  rmSync(firstAccountFile(environment), { force: true });
}

/** A key of the account for checks; it expires after ten minutes. */
export async function openCheckAccount(service: Service): Promise<Account> {
  if (!(await userNames(service)).includes(CHECK)) {
    const account = { name: CHECK, password: generatePassword(), client_id: CHECK };
    await service.ask('add-user', account, z.object({}));
  }
  const wanted = { client_id: CHECK, name: 'check of a deploy', lifetime_seconds: CHECK_KEY_SECONDS };
  const { api_key } = await service.ask('make-key', wanted, key);
  return { clientId: CHECK, apiKey: api_key };
}

async function userNames(service: Service): Promise<readonly string[]> {
  const response = await service.askWithRetry('list-users', {}, users);
  return response.users.map(({ name }) => name);
}

function writeFile(file: string, account: z.output<typeof kept>): void {
  writeFileSync(file, `${JSON.stringify(account)}\n`);
}

function readFile(file: string): z.output<typeof kept> {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new UsageError(`${file} is damaged: remove it, then set a password by "npm run account -- password".`, {
      cause,
    });
  }
}
