import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../scripts/support/processes.ts';
import { copyProject, linesOf, runNpm } from '../scripts/support/project.ts';
import { expectPortRefusal } from '../scripts/support/refusals.ts';

/** Some of the starts that cannot be, as a user sees them. test/scripts/start-refusals.test.ts has all. */

const folder = copyProject();

it('a start says how to correct an option', async () => {
  expect(await refusal(folder, ['--port', 'abc'])).toBe('--port takes a number from 1 to 65535: --port 8788');
});

it('a start says how to correct a setting', async () => {
  expect(await refusal(folder, ['--var', 'MEMORY_SECONDS:-1'])).toBe(
    'MEMORY_SECONDS must be a whole number of seconds from 0 to 3600.',
  );
});

it('a start says how to correct .dev.vars', async () => {
  const folder = copyProject();
  writeFileSync(join(folder, '.dev.vars'), 'what is this\n');
  expect(await refusal(folder, [])).toMatch(/^\.dev\.vars is broken at "what is this": /);
});

it('a start says that a port is in use, and creates no folder', async () => {
  await expectPortRefusal((args) => refusal(folder, args));
});

/** The one sentence with which a start ends. */
async function refusal(folder: string, args: readonly string[]): Promise<string> {
  const port = args.includes('--port') ? [] : ['--port', String(await freePort())];
  const { code, stdout, stderr } = await runNpm(folder, ['start', '--', ...port, ...args]);
  expect(code).toBe(2);
  expect(linesOf(stdout).filter((line) => !line.startsWith('> '))).toEqual([]);
  const lines = linesOf(stderr);
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}
