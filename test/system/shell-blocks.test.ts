import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PAGES, shellBlocks } from '../scripts/support/pages.ts';
import { makeFolder, runProcess, strangersEnv } from '../scripts/support/processes.ts';
import { linkPackages, ROOT } from '../scripts/support/project.ts';
import { startServer, type Server } from '../scripts/support/server.ts';

/** The shell blocks of the pages as they stand there. start.test.ts runs those of curl, which need what a start prints. */

interface Block {
  readonly page: string;
  readonly text: string;
}

const blocks: readonly Block[] = PAGES.flatMap((page) => shellBlocks(page).map((text) => ({ page, text })));

const isOfCurl = ({ text }: Block) => /^curl /m.test(text);
const isOfAccount = ({ text }: Block) => /\bwrangler |--remote\b|npm run (?:login|deploy)\b/.test(text);
const isOfClone = ({ text }: Block) => text.startsWith('git clone ');
const isOfTests = ({ text }: Block) => text.startsWith('npx vitest ');
// cli.test.ts runs them.
const isOfCli = ({ text }: Block) => text.startsWith('terse ');
const ofService = blocks.filter(
  (block) => ![isOfCurl, isOfAccount, isOfClone, isOfTests, isOfCli].some((is) => is(block)),
);

describe('a clone, made and started by the first block of the README', () => {
  const folder = makeFolder();
  const clone = join(folder, 'terse');
  let server: Server;

  beforeAll(async () => {
    const [first, ...others] = blocks.filter(isOfClone);
    expect(others).toEqual([]);
    const [cloning, starting, ...rest] = (first?.text ?? '').split('\n');
    expect([starting, ...rest]).toEqual(['npm start', '']);
    const { code } = await runProcess('sh', ['-ec', (cloning ?? '').replace('<this repository>', ROOT)], {
      cwd: folder,
      env: strangersEnv(),
    });
    expect(code).toBe(0);
    linkPackages(clone);
    server = await startServer({ folder: clone, persistTo: join(clone, '.wrangler/state') });
  });

  it('has no file of the viewer, which the start makes', () => {
    const tracked = execFileSync('git', ['ls-files', 'public/assets'], { cwd: clone }).toString();
    expect(tracked).not.toContain('scalar.js');
    expect(existsSync(join(clone, 'public/assets/scalar.js'))).toBe(true);
    expect(server.output()).toContain('Serving on ');
  });

  it.each(ofService)('goes well with the block of $page: $text', async ({ text }) => {
    writeFileSync(join(clone, 'password.txt'), 'correct horse battery\n');
    const { code, stderr } = await runProcess('sh', ['-ec', text], { cwd: clone, env: strangersEnv() });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });
});

it.each(blocks.filter(isOfTests))('runs the tests that $page names', async ({ text }) => {
  const { code, stdout } = await runProcess('sh', ['-ec', text], { cwd: ROOT, env: strangersEnv() });
  expect(code).toBe(0);
  expect(stdout.match(/Test Files .*1 passed/g)).toHaveLength(text.trim().split('\n').length);
});
