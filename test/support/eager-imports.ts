import { join } from 'node:path';
import type { Plugin } from 'vite';

const SOURCES = join(import.meta.dirname, '../../src/');
const IMPORT = /(?<!typeof )\bimport\('(\.[^']+)'\)/g;

/**
 * Loads with each module of `src` what it imports later, since an import of the test runner is work of the request that
 * begins it: another request that waits for it would wait for ever. workerd's own imports are not, as
 * test/system/first-requests.test.ts shows.
 */
export const eagerImports: Plugin = {
  name: 'eager-imports',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(SOURCES)) return null;
    const paths: string[] = [];
    const eager = code
      .split('\n')
      .map((line) =>
        /^\s*(?:\*|\/\/|\/\*)/.test(line)
          ? line
          : line.replace(IMPORT, (_, path: string) => `Promise.resolve(__later${paths.push(path) - 1})`),
      );
    const imports = paths.map((path, index) => `import * as __later${index} from '${path}';`);
    return paths.length === 0 ? null : { code: `${imports.join(' ')}${eager.join('\n')}`, map: null };
  },
};
