import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { schemaStatements } from './scripts/database.ts';
import { generateTokenKey } from './src/tokens/keys.ts';

// Two keys, so that every test runs on a service whose key has been rotated once.
const tokenKeys = [await generateTokenKey(), await generateTokenKey()];

export default defineConfig({
  test: {
    silent: 'passed-only',
    // On two cores one would be the preset, and most of what a file does is to wait for processes of its own.
    maxWorkers: 2,
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                PUBLIC_URL: 'https://terse.test',
                TOKEN_KEYS: JSON.stringify(tokenKeys),
                // So that a test can count the statements of each round trip.
                RESTORE_CHECK_SECONDS: '0',
                // No date on the calendar may break a test: those about the cutoff set their own.
                ENCODE_CUTOFF: '',
                SCHEMA: await schemaStatements(),
                // How many requests `npm run bench:fuzz` sends, and the seed that it draws them from.
                FUZZ_REQUESTS: process.env['FUZZ_REQUESTS'] ?? '',
                FUZZ_SEED: process.env['FUZZ_SEED'] ?? '',
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: ['test/scripts/**', 'test/browser/**'],
          setupFiles: ['test/support/setup.ts'],
          globalSetup: ['test/support/resolver.ts'],
          // Generous, since machines are shared: nothing here is judged by how long it takes.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'scripts',
          include: ['test/scripts/**/*.test.ts'],
          setupFiles: ['test/scripts/support/setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/support/global-setup.ts'],
          // One browser and one server serve them all.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
