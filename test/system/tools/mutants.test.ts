import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readOptions } from '../../../scripts/mutants.ts';
import {
  ended,
  listen,
  makeFolder,
  runProcess,
  startProcess,
  strangersEnv,
  until,
} from '../../scripts/support/processes.ts';
import { linkPackages, NODE, ROOT } from '../../scripts/support/project.ts';

const SOURCE = 'export const isLarge = (size: number) => size > 10;\n';
const TESTED = `import { expect, it } from 'vitest';
import { isLarge } from '../../src/links/size.ts';
`;

// The first of these files creates the value, and the second one notices another.
const LAZY = `import { lazy } from '../isolate/lazy.ts';
  export const limits = lazy(() => [10]);
`;
const READS_LAZY = {
  'test/links/limits-read.test.ts': `import { expect, it } from 'vitest';
    import { limits } from '../../src/links/limits.ts';
    it('this longer file begins, since Vitest sorts by size', () => expect(limits()).toHaveLength(1));`,
  'test/links/limits.test.ts': `import { expect, it } from 'vitest';
    import { limits } from '../../src/links/limits.ts';
    it('is ten', () => expect(limits()).toEqual([10]));`,
};

/** A project with a source file and a test file, and others, and with the command. */
function makeProject(test: string, others: Readonly<Record<string, string>> = {}): string {
  const folder = makeFolder();
  const files = {
    ...others,
    '.gitignore': 'node_modules\n',
    'src/links/size.ts': SOURCE,
    'test/links/size.test.ts': TESTED + test,
    'test/support/time-of-day.ts': 'export {};\n',
    'vitest.config.mjs': `export default { test: { maxWorkers: 1, projects: [{ test: {
      name: 'worker', include: ['test/**/*.test.ts'], setupFiles: ['test/support/time-of-day.ts'], isolate: false,
    } }] } };\n`,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  for (const path of ['mutants', 'mutants.ts', 'cli-error.ts', 'disk-full.ts']) {
    cpSync(join(ROOT, 'scripts', path), join(folder, 'scripts', path), { recursive: true });
  }
  linkPackages(folder);
  // What this project's record says is of other sources.
  rmSync(join(folder, 'node_modules/.cache'), { force: true });
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}

it('the command test:mutants finds the changes that no test notices, and changes nothing in the project', async () => {
  const folder = makeProject(`it('counts', () => expect([isLarge(9), isLarge(20)]).toEqual([false, true]));\n`, {
    'src/isolate/lazy.ts': readFileSync(join(ROOT, 'src/isolate/lazy.ts'), 'utf8'),
    'src/links/limits.ts': LAZY,
    ...READS_LAZY,
  });
  const env = strangersEnv();
  const args = ['scripts/mutants.ts', '--count', '9', '--in', 'src/links/'];
  const outcome = await runProcess(NODE, args, { cwd: folder, env });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  const [progress = '', report] = outcome.stdout.split('\n\n');
  expect(
    progress
      .split('\n')
      .slice(1)
      .map((line) => line.slice(4))
      .toSorted(),
  ).toEqual([
    'src/links/limits.ts:2 (constant): killed',
    'src/links/limits.ts:2 (return): killed',
    'src/links/size.ts:1 (comparison): killed',
    'src/links/size.ts:1 (comparison): survived',
    'src/links/size.ts:1 (constant): survived',
    'src/links/size.ts:1 (return): killed',
  ]);
  expect(report).toMatch(/^links +4 +2 +0$/m);
  expect(outcome.stdout).toMatch(/\n\d+\.\d s for each\.\n$/);
  expect(outcome.stdout).toContain(`\n- ${SOURCE}+ ${SOURCE.replace('size >', 'size >=')}`);
  expect(readFileSync(join(folder, 'src/links/size.ts'), 'utf8')).toBe(SOURCE);
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});

it('the command test:mutants ends its tests and removes its copy when it is interrupted', async () => {
  const begun = join(makeFolder(), 'begun');
  const hang = `writeFileSync(${JSON.stringify(begun)}, ''); return new Promise(() => {});`;
  const folder = makeProject(`import { writeFileSync } from 'node:fs';\nit('hangs', () => { ${hang} }, 1e6);\n`);
  const env = strangersEnv();
  const child = startProcess(NODE, ['scripts/mutants.ts'], { cwd: folder, env });
  const stderr = listen(child.stderr);
  const end = ended(child);
  await until('the test runs', () => existsSync(begun));
  child.kill('SIGINT');
  expect(await end).toBe(2);
  expect(stderr()).toBe('Interrupted.\n');
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});

it('the command test:mutants reads its options', () => {
  expect(readOptions(['--jobs', '1'])).toEqual({ count: 20, seed: 1, in: 'src/', jobs: 1, record: false });
  expect(readOptions(['--count', '200', '--seed=7', '--in', 'src/links/', '--record'])).toEqual({
    count: 200,
    seed: 7,
    in: 'src/links/',
    jobs: availableParallelism(),
    record: true,
  });
  expect(readOptions(['--help'])).toBe(null);
  expect(() => readOptions(['--count', '0'])).toThrow('--count takes a number from 1.');
  expect(() => readOptions(['--seed', 'x'])).toThrow('--seed takes a number from 0.');
  expect(() => readOptions(['--counts'])).toThrow('"npm run test:mutants -- --help" lists the options.');
});
