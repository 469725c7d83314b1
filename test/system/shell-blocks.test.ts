import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, runProcess, strangersEnv } from '../scripts/support/processes.ts';
import { linkPackages, ROOT } from '../scripts/support/project.ts';
import { startServer, type Server } from '../scripts/support/server.ts';
import { ALL_BLOCKS, blocksThatNeed, needsOf } from '../scripts/support/shell-blocks.ts';

it.each(ALL_BLOCKS)('exactly one test runs the block of $page: $text', (block) => {
  expect(needsOf(block)).toHaveLength(1);
});

describe('a clone, created and started by the first block of the README', () => {
  const folder = makeFolder();
  const clone = join(folder, 'terse');
  let server: Server;

  beforeAll(async () => {
    const [first, ...others] = blocksThatNeed('clone');
    expect(others).toEqual([]);
    const [cloning, starting, ...rest] = (first?.text ?? '').split('\n');
    expect([starting, ...rest]).toEqual(['npm start', '']);
    const { code } = await runProcess('sh', ['-ec', (cloning ?? '').replace('<this repository>', () => `'${ROOT}'`)], {
      cwd: folder,
      env: strangersEnv(),
    });
    expect(code).toBe(0);
    linkPackages(clone);
    server = await startServer({ folder: clone, persistTo: join(clone, '.wrangler/state') });
  });

  it('a clone that the first block of the README starts has no file of the viewer, which the start writes', () => {
    const tracked = execFileSync('git', ['ls-files', 'public/assets'], { cwd: clone }).toString();
    expect(tracked).not.toContain('scalar.js');
    expect(existsSync(join(clone, 'public/assets/scalar.js'))).toBe(true);
    expect(server.output()).toContain('Serving on ');
  });

  it.each(blocksThatNeed('service'))(
    'a clone that the first block of the README starts goes well with the block of $page: $text',
    async ({ text }) => {
      writeFileSync(join(clone, 'password.txt'), 'correct horse battery\n');
      writeFileSync(join(clone, 'links.csv'), 'url\nhttps://example.com/from-a-file\n');
      const { code, stderr } = await runProcess('sh', ['-ec', text], { cwd: clone, env: strangersEnv() });
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  it.each(blocksThatNeed('pictures'))(
    'a clone that the first block of the README starts gets the pictures of the front page by the block of $page: $text',
    async ({ text }) => {
      const assets = join(clone, 'public/assets');
      const pictures = readdirSync(assets).filter((name) => name.endsWith('.webp'));
      for (const name of pictures) writeFileSync(join(assets, name), '');
      const { code, stdout, stderr } = await runProcess('sh', ['-ec', text], { cwd: clone, env: strangersEnv() });
      expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
      const written = pictures.filter((name) => readFileSync(join(assets, name)).includes('WEBP'));
      expect([written, written.length]).toEqual([pictures, 8]);
    },
  );
});

it.each(blocksThatNeed('tests'))('runs the tests that $page names', async ({ text }) => {
  const { code, stdout } = await runProcess('sh', ['-ec', text], { cwd: ROOT, env: strangersEnv() });
  expect(code).toBe(0);
  expect(stdout.match(/Test Files .*1 passed/g)).toHaveLength(text.trim().split('\n').length);
});
