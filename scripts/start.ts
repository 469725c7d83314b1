import { join } from 'node:path';
import { openDatabase } from '../src/database/service-database.ts';
import { migrateDatabase, withDatabase } from './database.ts';
import { migratedSentence } from './migrations/migrate.ts';
import { catchMails } from './caught-mails.ts';
import { run } from './cli-error.ts';
import { STOP_KEY } from './edge/stop-request.ts';
import { hasNoUsers, createFirstAccount, welcome, welcomeBack } from './first-account.ts';
import { ensureOperatorKey, localKeyFile, operatorKeysText } from './operator-key.ts';
import { releaseMemory, spareMemoryOfWorkerd } from './memory.ts';
import { endWithNpm } from './parents.ts';
import { withProgress } from './progress.ts';
import { buildWorker, startServer } from './server.ts';
import { shieldWorkerd } from './shielded-workerd.ts';
import { prepareStart } from './start-checks.ts';
import { keepFilesBeside, keepOrigin, createStateFolder } from './state.ts';
import { StopLine } from './stop-line.ts';
import { checkStoredDatabase } from './stored-database.ts';
import { QUIET_WRANGLER } from './wrangler.ts';

/** `npm start`: creates signing keys, the schema and a first account, then runs the service until it gets a signal. */

let stopLine: StopLine | null = null;
let account: ReturnType<typeof createFirstAccount> | null = null;
const stopping = new AbortController();
endWithNpm(() => void end());
// Keeps lines of wrangler out of the output.
Object.assign(process.env, QUIET_WRANGLER, { WRANGLER_LOG: 'error' });

await run(async () => {
  const { port, host, origin, persistTo, settings, operatorKeys, catchesMails, front } = await prepareStart(
    process.argv.slice(2),
  );
  const stateFolder = createStateFolder(persistTo);
  const temporary = keepFilesBeside(persistTo, { isAlone: true });
  checkStoredDatabase(persistTo);
  const isFirst = await withDatabase(persistTo, async (db) => {
    const migrated = await withProgress(
      () => 'Bringing the database up to date',
      () => migrateDatabase(db),
    );
    // A first start continues with the account.
    const sentence = migrated.isNew ? null : migratedSentence(migrated);
    if (sentence !== null) console.log(sentence);
    return hasNoUsers(db, persistTo);
  });
  console.log('Starting …');
  const module = await buildWorker(join(temporary, 'worker'));
  const OPERATOR_KEYS = operatorKeysText(await ensureOperatorKey(localKeyFile(persistTo)), operatorKeys);
  // At a terminal the log of all requests is useful, and a receiver of webhooks is another program of this machine.
  const stopKey = crypto.randomUUID();
  const mails = catchesMails ? await catchMails(persistTo, origin) : null;
  const vars = {
    ACCESS_LOG: 'on',
    WEBHOOK_LOOPBACK: 'on',
    // The queue is in memory, so that clicks do not wait in it.
    CLICKS_DIRECT: 'on',
    ...settings,
    ...mails?.settings,
    ...front,
    OPERATOR_KEYS,
    [STOP_KEY]: stopKey,
  };
  shieldWorkerd();
  spareMemoryOfWorkerd();
  const server = await startServer({ port, host, stateFolder, module, vars, stopping: stopping.signal });
  stopLine = await StopLine.open(server, stopKey, { host, port });
  keepOrigin(persistTo, origin);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Miniflare's own handlers would exit at once, with the status of a failure. `on`, since Ctrl-C sends the signal
    // twice: from the terminal and from npm.
    process.removeAllListeners(signal).on(signal, () => void end());
  }
  releaseMemory();
  if (!isFirst) return console.log(welcomeBack(origin, mails?.page));
  // Only once the server answers: if a start fails, its password would never be shown.
  const db = openDatabase(await server.getD1Database('DB'));
  if (stopping.signal.aborted) return;
  account = createFirstAccount(db, persistTo);
  console.log(welcome(await account, origin, persistTo, mails?.page));
});

async function end(): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  // Its statements are sent synchronously, and a workerd that stops would never answer them.
  await account?.catch(() => {});
  await stopLine?.stop();
  process.exit();
}
