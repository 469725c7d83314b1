import { join } from 'node:path';
import type { Plugin } from 'vite';

const PASSWORDS = join(import.meta.dirname, '../../src/accounts/users/password.ts');
const COST = 'const LOG2_N = 14;';

/**
 * Hashes passwords at a low cost of scrypt, since that of the service takes 150 ms for each user, sign-in and password of a
 * link. A hash states its cost. Files `*.isolated.test.ts` have the cost of the service.
 */
export const cheapPasswords: Plugin = {
  name: 'cheap-passwords',
  enforce: 'pre',
  transform(code, id) {
    if (id !== PASSWORDS) return null;
    if (!code.includes(COST))
      throw new Error(`${PASSWORDS} does not have the cost of a password where it is looked for.`);
    return { code: code.replace(COST, 'const LOG2_N = 5;'), map: null };
  },
};
