import { existsSync } from 'node:fs';
import { calculateJwkThumbprint } from 'jose';
import { publicHalf } from '../../src/secrets/jwks.ts';
import type { SendSql } from '../migrations/migrate.ts';
import { readOperatorKey } from '../operator-key.ts';
import type { Environment } from './project.ts';
import { operatorKeyFile } from './secrets.ts';

/**
 * Writes a deploy or a rollback to the operator's log, in the database itself, since the version that then runs may not
 * know the log. The key is that of this folder's tools, although Cloudflare authorizes a deploy by its own token.
 *
 * @param version what runs afterwards, such as `Terse 1.2.0, schema 14`
 */
export async function logDeploy(
  send: SendSql,
  environment: Environment,
  command: 'deploy' | 'rollback',
  version: string,
): Promise<void> {
  const file = operatorKeyFile(environment);
  const thumbprint = existsSync(file)
    ? await calculateJwkThumbprint({ ...publicHalf(readOperatorKey(file, 'remove it to create a new one')) })
    : '';
  const values = [crypto.randomUUID(), command, version, thumbprint].map((text) => `'${text.replaceAll("'", "''")}'`);
  const [id, name, subject, key] = values;
  await send([
    `INSERT INTO operator_log (id, at, command, subject, key_thumbprint, outcome)
     VALUES (${id}, ${Date.now()}, ${name}, ${subject}, ${key}, 'done')`,
  ]);
}
