import { expect, it } from 'vitest';
import { testsOf } from '../../scripts/test-changed.ts';
import { ROOT } from './support/project.ts';

it.each<[changed: string[], tests: string[]]>([
  [[], []],
  [
    ['src/api/qr.ts', 'src/api/new/file.ts', 'src/links/qr.ts'],
    ['test/api/', 'test/links/'],
  ],
  [['test/api/qr.test.ts'], ['test/api/qr.test.ts']],
  [['test/api/qr.test.ts', 'src/api/qr.ts'], ['test/api/']],
  [['bench/bench.ts'], ['test/scripts/']],
  [['scripts/start.ts'], ['test/scripts/', 'test/system/tools/']],
  [['cli/src/main.ts'], ['test/scripts/', 'test/system/cli/']],
  [['test/system/cli/input.test.ts'], ['test/system/cli/input.test.ts']],
  [['test/releases/1.0.0/known.json'], ['test/scripts/releases.test.ts']],
  [['src/nowhere/file.ts', 'test/api/removed.test.ts'], []],
])('the tests for a change of %j are %j', (changed, tests) => {
  expect(testsOf(changed, ROOT)).toEqual(tests);
});

it.each(['README.md', 'docs/api.md'])('the tests for a change of %s are those that read pages', (file) => {
  const tests = testsOf([file], ROOT);
  expect(tests).toEqual(
    expect.arrayContaining([
      'test/links/import/documented.test.ts',
      'test/platform/words.test.ts',
      ...['config', 'docs', 'growth-record', 'page-form', 'words'].map((name) => `test/scripts/${name}.test.ts`),
    ]),
  );
  expect(tests.length).toBeLessThan(30);
});

it.each([
  'schema.sql',
  'src/app/app.ts',
  'src/database/database.ts',
  'src/time/day.ts',
  'test/support/seed.ts',
  'public/assets/page.css',
  'wrangler.toml',
])('the tests for a change of %s are those of every room', (file) => {
  expect(testsOf([file], ROOT)).toEqual(expect.arrayContaining(['test/accounts/', 'test/scripts/', 'test/platform/']));
  expect(testsOf([file], ROOT)).not.toContain('test/system/');
});
