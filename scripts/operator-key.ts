import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateTokenKey } from '../src/tokens/keys.ts';
import { type TokenKey, parseOperatorKey, publicHalf, type OperatorKey } from '../src/secrets/jwks.ts';
import { UsageError } from './cli-error.ts';
import { writeSecretFile } from './secret-file.ts';
import { noDataIn } from './state.ts';

/** The private key of the operator's tools: one in the folder of each local state, and one for the deployed service. */

const FILE = 'operator-key.json';

/** The file with the key for the service on a local state. */
export const localKeyFile = (state: string): string => join(state, FILE);

/** Reads a key, or creates one if there is none. Throws `UsageError`. */
export async function ensureOperatorKey(file: string): Promise<TokenKey> {
  if (!existsSync(file)) {
    const key = await generateTokenKey();
    try {
      writeSecretFile(file, JSON.stringify(key));
      return key;
    } catch (cause) {
      // Another process may have created it in between.
      if (!existsSync(file)) throw noDataIn(file, cause);
    }
  }
  return readOperatorKey(file, 'remove it to create a new one');
}

/** @param remedy what to do if there is no valid key */
export function readOperatorKey(file: string, remedy: string): TokenKey {
  const key = parseOperatorKey(readText(file, remedy));
  if (key === null) throw new UsageError(`${file} does not contain a key of the operator's tools: ${remedy}.`);
  return key;
}

function readText(file: string, remedy: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} with the key of the operator's tools cannot be read: ${remedy}.`, { cause });
  }
}

/** `OPERATOR_KEYS` for a Worker: the public half of a tool's key, and the configured ones. */
export function operatorKeysText(key: TokenKey, others: readonly OperatorKey[]): string {
  const byText = new Map([publicHalf(key), ...others].map((each) => [each.x, each]));
  return JSON.stringify([...byText.values()]);
}
