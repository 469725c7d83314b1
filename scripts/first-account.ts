import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addUser, createKey, listAccounts } from '../src/accounts/operator.ts';
import { generatePassword } from '../src/accounts/users/password.ts';
import type { Database } from '../src/database/database.ts';
import { UsageError } from './cli-error.ts';

export const USER = 'admin';
export const CLIENT = 'default';
export const KEY_LABEL = 'first key';

/** The account that a first start or a first deploy creates. */
interface FirstAccount {
  readonly password: string;
  readonly apiKey: string;
}

/**
 * A file in the folder of a state, which is created once the database has users. If it exists and there are no users,
 * they were lost.
 */
const markerFile = (persistTo: string): string => join(resolve(persistTo), 'has-users');

/**
 * True if a state has no users yet. Throws a `UsageError` if it has lost them, since a new account would only hide
 * that.
 */
export async function hasNoUsers(db: Database, persistTo: string): Promise<boolean> {
  const marker = markerFile(persistTo);
  const hasUsers = (await listAccounts(db)).length > 0;
  if (hasUsers && !existsSync(marker)) writeFileSync(marker, '');
  if (!hasUsers && existsSync(marker)) {
    throw new UsageError(
      `The database in ${persistTo} has lost its users, and possibly other data: restore a backup with ` +
        `"npm run restore -- FILE", or remove that folder to start again.`,
    );
  }
  return !hasUsers;
}

/** Creates the first account of a state. */
export async function createFirstAccount(db: Database, persistTo: string): Promise<FirstAccount> {
  const password = generatePassword();
  await addUser(db, { name: USER, password, clientId: CLIENT });
  const key = await createKey(db, CLIENT, KEY_LABEL);
  if (!key) throw new Error('the first account was not created');
  writeFileSync(markerFile(persistTo), '');
  return { password, apiKey: key.text };
}

/**
 * The output of a first start. The second command reads the file that the first one writes, in the folder of the data, which
 * only its owner can open: in a folder that others share, a name could be a link of theirs.
 */
export function welcome({ password, apiKey }: FirstAccount, origin: string, persistTo: string, mails?: string): string {
  const kept = `'${join(resolve(persistTo), 'first-link.json').replaceAll("'", String.raw`'\''`)}'`;
  return `
Serving on ${origin}

Create a short link:
curl -sS ${origin}/v1/links -H 'X-API-Key: ${apiKey}' -F client_id=${CLIENT} -F url=https://example.com/ | tee ${kept}

Follow it:
curl -sSi "$(sed 's/.*short_url[^:]*:[^h]*\\(http[^"\\]*\\).*/\\1/' ${kept})"

Sign in in a browser:
${origin}/platform
${mails === undefined ? '' : `\nRead the mails that it would send:\n${mails}\n`}
${accountText({ password, apiKey })}
`;
}

/** The text that shows the first account, once. Each value has a line of its own, so that programs can read it too. */
export function accountText({ password, apiKey }: FirstAccount): string {
  return `This account was created for you. Its password and key are shown only once:

user: ${USER}
password: ${password}
client_id: ${CLIENT}
api_key: ${apiKey}`;
}

/** The output of every later start. */
export function welcomeBack(origin: string, mails?: string): string {
  return `
Your data is unchanged. To see accounts, or create a new password or key:
  npm run account -- list
  npm run account -- password USER
  npm run account -- key CLIENT --name LABEL

Serving on ${origin}, with the platform's pages at ${origin}/platform
${mails === undefined ? '' : `Mails that it would send are at ${mails}\n`}`;
}
