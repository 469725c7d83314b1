import { randomBytes, scryptSync } from 'node:crypto';
import { preparedPassword } from '../../src/accounts/users/password.ts';

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * Hashes a password of a seeded user at the least cost that scrypt has, since the service's own takes 150 ms for each
 * user and each sign-in. A hash states its cost, so the service can verify this one too. The cost that the service uses
 * is tested in test/accounts/users/password.isolated.test.ts.
 */
export async function leastCostHash(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = scryptSync(preparedPassword(password), salt, HASH_BYTES, { N: 2, r: 1, p: 1 });
  return `$scrypt$ln=1,r=1,p=1$${unpadded(salt)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
