import { existsSync, readFileSync } from 'node:fs';
import { generateSealingKey, parseSealingKeys } from '../../src/secrets/sealing.ts';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { parseTokenKeys } from '../../src/secrets/jwks.ts';
import { UsageError } from '../cli-error.ts';
import { writeSecretFile } from '../secret-file.ts';
import type { Environment } from './project.ts';

/** The files of an environment with secrets, which git ignores. */

const fileOf = (stem: string, { name }: Pick<Environment, 'name'>): string =>
  name === null ? `${stem}.json` : `${stem}.${name}.json`;

export const operatorKeyFile = (environment: Pick<Environment, 'name'>): string => fileOf('operator-key', environment);
export const tokenKeysFile = (environment: Environment): string => fileOf('token-keys', environment);
export const webhookKeysFile = (environment: Environment): string => fileOf('webhook-keys', environment);
export const firstAccountFile = (environment: Environment): string => fileOf('first-account', environment);

/**
 * The signing keys for a Worker that has none: those of the file of an earlier attempt, or new ones, whose only copy is
 * the file.
 */
export async function ensureTokenKeys(environment: Environment): Promise<string> {
  const key = await generateTokenKey();
  return ensureKeys(tokenKeysFile(environment), key, parseTokenKeys, 'signing keys');
}

/** Creates the keys that encrypt the secrets of webhooks, unless the environment has them. */
export function ensureWebhookKeys(environment: Environment): string {
  return ensureKeys(webhookKeysFile(environment), generateSealingKey(), parseSealingKeys, 'keys for webhooks');
}

function ensureKeys(
  file: string,
  newKey: object,
  parse: (text: string) => readonly object[] | null,
  things: string,
): string {
  if (!existsSync(file)) writeSecretFile(file, JSON.stringify([newKey]));
  const text = readFileSync(file, 'utf8');
  if (parse(text) !== null) return text.trim();
  throw new UsageError(`${file} is not a JSON list of ${things}: move it away to create a new key.`);
}
