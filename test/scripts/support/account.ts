import { expect } from 'vitest';
import { migrateDatabase } from '../../../scripts/database.ts';
import { withService } from '../../../scripts/operator.ts';
import type { Service } from '../../../scripts/operator-service.ts';
import { readLastOrigin } from '../../../scripts/state.ts';
import { addUser } from '../../../src/accounts/operator.ts';
import { leastCostHash } from '../../support/least-cost.ts';
import { heldOpen, lazyDatabase } from './open-database.ts';
import { makeFolder, type Outcome } from './processes.ts';
import { callAccount } from './tools.ts';

/**
 * The operator's tool, and the data that all tests of a file share: each makes users and clients of its own. One workerd
 * serves all commands of a file, since its start takes longer than they do. It holds the lock of the data: a test that
 * starts the tool itself has it work on a folder of its own.
 */

export const data = makeFolder();
export const openData = lazyDatabase(data, migrateDatabase);

export const account = (...args: string[]): Promise<Outcome> => accountWith('', ...args);

/** `account` with a text at its input. */
export const accountWith = (stdin: string | Uint8Array, ...args: string[]): Promise<Outcome> =>
  callAccount([...args, '--persist-to', data], stdin, serve);

const serve: typeof withService = async (location, work) =>
  location.remote ? withService(location, work) : work({ ...(await openShared()), origin: readLastOrigin(data) });

const openShared = heldOpen<Service>((work) =>
  withService({ remote: false, persistTo: data, environment: null }, work),
);

/** Makes a user as "add" does, without the wait for a process, and gives the local_id. */
export async function seedUser(name: string, clientId: string): Promise<string> {
  const added = await addUser(await openData(), { name, password: 'pass word', clientId }, leastCostHash);
  if (!added) throw new Error(`there is a user ${name} already`);
  return added.userId;
}

interface Listed {
  readonly clients: string;
  readonly keys: number;
  readonly state: string;
  readonly localId: string;
}

/** The row of a user in the list, or undefined. Its columns are two or more spaces apart. */
export async function listed(name: string): Promise<Listed | undefined> {
  const { stdout } = await account('list');
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(rows[0]).toEqual(['USER', 'CLIENTS', 'KEYS', 'STATE', 'LOCAL_ID']);
  const [, clients = '', keys = '', state = '', localId = ''] = rows.find(([user]) => user === name) ?? [];
  return localId === '' ? undefined : { clients, keys: Number(keys), state, localId };
}

/** Expects a refusal: exit code 2, nothing on stdout, and on stderr one line, which it gives. */
export function sentenceOf(outcome: Outcome): string {
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
  expect(outcome.stderr).not.toMatch(/\.ts:\d+|\bat \S+ \(/);
  return outcome.stderr.trimEnd();
}
