import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { readMigrations } from './scripts/migrations/files.ts';
import { cheapPasswords } from './test/support/cheap-passwords.ts';
import { eagerImports } from './test/support/eager-imports.ts';
import { FAULTS, filesToLeaveOut, SMOKE } from './test/support/files-in-turn.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { readShare } from './test/support/share-of-run.ts';
import { keepTemporaryFilesInMemory } from './test/support/temporary-folder.ts';
import { generateSealingKey } from './src/secrets/sealing.ts';
import { generateTokenKey } from './src/tokens/keys.ts';
import './scripts/assets.mjs';

keepTemporaryFilesInMemory();

// As one text, since D1 takes longer to receive a statement than to execute it.
const schema = readMigrations()
  .flatMap(({ statements }) => statements)
  .join(';\n');
// Two keys, so that every test runs on a service whose key has been rotated once.
const tokenKeys = [await generateTokenKey(), await generateTokenKey()];
const webhookKeys = [generateSealingKey(), generateSealingKey()];

/** Tests inside workerd that replace modules, or wait until the queue has delivered. */
const ISOLATED = ['test/**/*.isolated.test.ts'];
const ON_NODE = ['test/scripts/**', 'test/system/**', 'test/browser/**'];

// A queue without a consumer: a test that counts statements would count those for the clicks of an earlier file.
const deadEnd = { CLICKS: { queueName: 'terse-clicks-of-tests' }, WEBHOOKS: { queueName: 'terse-webhooks-of-tests' } };

// A test that waits for the queue waits for a second, not for the five that are shipped.
const soon = { 'terse-clicks': { maxBatchSize: 100, maxBatchTimeout: 1, maxRetries: 5 } };

const workerd = (queues: { readonly queueProducers: typeof deadEnd } | { readonly queueConsumers: typeof soon }) =>
  cloudflareTest({
    main: './test/support/worker.ts',
    wrangler: { configPath: './wrangler.toml' },
    miniflare: {
      ...queues,
      // It writes mails to files of the temporary folder.
      email: { send_email: [{ name: 'MAIL' }] },
      bindings: {
        PUBLIC_URL: 'https://terse.test',
        MAIL_FROM: 'links@terse.test',
        TOKEN_KEYS: JSON.stringify(tokenKeys),
        WEBHOOK_KEYS: JSON.stringify(webhookKeys),
        // So that a test can count the statements of each round trip.
        RESTORE_CHECK_SECONDS: '0',
        // No date on the calendar may break a test: those about the cutoff set their own.
        ENCODE_CUTOFF: '',
        SCHEMA: schema,
        // How many requests the fuzz test sends, and the seed that it draws them from.
        FUZZ_REQUESTS: process.env['FUZZ_REQUESTS'] ?? '',
        FUZZ_SEED: process.env['FUZZ_SEED'] ?? '',
      },
    },
  });

// Generous, since machines are shared: no test fails because it is slow.
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

const share = readShare(process.env['TEST_SHARE']);
const provide = { share };

const NOT_NOW = filesToLeaveOut(import.meta.dirname, share, process.argv.slice(2));

const inWorkerd = {
  provide,
  // Else the text of a style sheet would be empty.
  css: { include: /public\/assets/ },
  setupFiles: ['test/support/time-of-day.ts', 'test/support/setup.ts'],
  globalSetup: [
    'test/support/resolver.ts',
    'test/support/receiver.ts',
    'test/support/origin-server.ts',
    'test/support/identity-providers.ts',
  ],
  ...patient,
};
// One workerd runs many files, since a start and the import of the Worker take longer than most of them.
const shared = { isolate: false, sequence: { groupOrder: 1 } };

const onNode = {
  provide,
  isolate: false,
  sequence: { setupFiles: 'list' as const },
  setupFiles: ['test/support/time-of-day.ts', 'test/support/reset-modules.ts', 'test/scripts/support/setup.ts'],
  ...patient,
};

/**
 * Of tests that start processes or browsers, several of which run side by side. Each of their steps has a time of its own,
 * so that one that hangs is named.
 */
const long = { testTimeout: 1_200_000, hookTimeout: 1_200_000 };

/** `npm test` runs the first four projects, and `npm run test:system` the others. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    // On two cores one would be the preset, and most of what a file does is to wait for processes of its own.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [eagerImports, cheapPasswords, workerd({ queueProducers: deadEnd })],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: [...ISOLATED, ...FAULTS, ...ON_NODE],
          ...inWorkerd,
          ...shared,
        },
      },
      {
        plugins: [workerd({ queueConsumers: soon })],
        test: {
          name: 'isolated',
          include: ISOLATED,
          ...inWorkerd,
          setupFiles: [...inWorkerd.setupFiles, 'test/support/reset-modules.ts'],
        },
      },
      { test: { name: 'scripts', include: ['test/scripts/**/*.test.ts'], ...onNode } },
      {
        test: {
          name: 'smoke',
          include: [SMOKE],
          globalSetup: ['test/browser/support/global-setup.ts'],
          ...onNode,
        },
      },
      {
        plugins: [eagerImports, cheapPasswords, workerd({ queueProducers: deadEnd })],
        test: { name: 'faults', include: FAULTS, exclude: NOT_NOW, ...inWorkerd, ...shared },
      },
      { test: { name: 'system', include: ['test/system/**/*.test.ts'], exclude: NOT_NOW, ...onNode, ...long } },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          exclude: [SMOKE, ...NOT_NOW],
          globalSetup: ['test/browser/support/global-setup.ts'],
          ...onNode,
          ...long,
          // One browser and one server serve all files of a run.
          fileParallelism: false,
        },
      },
    ],
  },
});
