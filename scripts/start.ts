import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addUser, createKey, listAccounts } from '../src/accounts/manage.ts';
import { generatePassword } from '../src/accounts/password.ts';
import type { Database } from '../src/database.ts';
import { applySchema, withDatabase } from './database.ts';
import { ensureDevVars } from './dev-vars.ts';
import { run, UsageError } from './fail.ts';
import { checkSettings, readStartOptions } from './settings.ts';
import { startWrangler } from './wrangler.ts';

/**
 * `npm start`: signing keys, schema, a first account, then `wrangler dev`.
 * `npm start -- --port N --persist-to DIR --var NAME:value`, and whatever else `wrangler dev` takes.
 */

const DEFAULT_PORT = 8787;
const FIRST_USER = 'admin';
const FIRST_CLIENT = 'default';
const SHELL_OF_NPM = process.ppid;

await run(async () => {
  const { port, persistTo, vars, wranglerArgs } = readStartOptions(process.argv.slice(2), DEFAULT_PORT);
  const devVars = await ensureDevVars();
  await checkSettings(devVars, vars);
  await checkPort(port);
  const account = await withDatabase({ remote: false, persistTo }, async (db) => {
    await applySchema(db);
    return makeFirstAccount(db);
  });
  console.log(account ? welcome(account, `http://localhost:${port}`) : welcomeBack(port));
  // Whoever starts it at a terminal wants to see what it is asked.
  const isLogSet = 'ACCESS_LOG' in { ...devVars, ...vars };
  serve(isLogSet ? wranglerArgs : ['--var', 'ACCESS_LOG:on', ...wranglerArgs]);
});

interface FirstAccount {
  readonly password: string;
  readonly apiKey: string;
}

async function makeFirstAccount(db: Database): Promise<FirstAccount | null> {
  if ((await listAccounts(db)).length > 0) return null;
  const password = generatePassword();
  await addUser(db, { name: FIRST_USER, password, clientId: FIRST_CLIENT });
  const key = await createKey(db, FIRST_CLIENT, 'first key');
  if (!key) throw new Error('the first account was not made');
  return { password, apiKey: key.text };
}

// Each line of the account alone, so that programs can read it too. The second curl reads what the first has kept.
function welcome({ password, apiKey }: FirstAccount, origin: string): string {
  const kept = `'${join(tmpdir(), 'terse-link.json')}'`;
  return `
This account was made for you. Its password and key are shown this once:

user: ${FIRST_USER}
password: ${password}
client_id: ${FIRST_CLIENT}
api_key: ${apiKey}

Sign in with it in a browser:
${origin}/platform

Make a short link:
curl -sS ${origin}/v1/links -H 'X-API-Key: ${apiKey}' -F client_id=${FIRST_CLIENT} -F url=https://example.com/ | tee ${kept}

Follow it:
curl -sSi "$(sed 's/.*short_url[^:]*:[^h]*\\(http[^"\\]*\\).*/\\1/' ${kept})"
`;
}

function welcomeBack(port: number): string {
  return `
Your data is as you left it. Forgotten something?
  npm run account -- list
  npm run account -- password USER
  npm run account -- key CLIENT --name LABEL
Serving on http://localhost:${port}, with the platform's pages at http://localhost:${port}/platform …
`;
}

function checkPort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EACCES' ? 'needs more rights' : 'is in use';
      reject(new UsageError(`Port ${port} ${reason}: free it, or choose another with "npm start -- --port N".`));
    });
    server.listen({ port, host: 'localhost', exclusive: true }, () => server.close(() => resolve()));
  });
}

function serve(wranglerArgs: readonly string[]): void {
  const wrangler = startWrangler(['dev', ...wranglerArgs], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => wrangler.kill(signal));
  // A signal to npm ends the shell that npm runs this in, and nothing below it.
  const orphanWatch = setInterval(() => process.ppid !== SHELL_OF_NPM && wrangler.kill(), 500);
  wrangler.on('exit', (code, signal) => {
    clearInterval(orphanWatch);
    process.exitCode = code ?? (signal === 'SIGINT' ? 0 : 1);
  });
}
