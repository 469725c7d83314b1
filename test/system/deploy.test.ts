import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, runProcess, type Outcome } from '../scripts/support/processes.ts';
import { LANGUAGE_TAGS, PLATFORM_LANGUAGES } from '../../src/languages/list.ts';
import { copyProject, linesOf, ROOT } from '../scripts/support/project.ts';

describe('a dry run of a deploy', () => {
  const folder = copyProject();
  const bundle = makeFolder();
  let tried: Outcome;

  beforeAll(async () => {
    const args = ['wrangler', 'deploy', '--dry-run', '--outdir', bundle];
    tried = await runProcess('npx', args, { cwd: folder });
  });

  it('a dry run of a deploy goes well, without a warning and without an account', () => {
    expect(tried.code).toBe(0);
    expect(tried.stdout).toContain('--dry-run: exiting now.');
    expect(linesOf(tried.stdout).join('\n')).not.toMatch(/warn|▲|error/i);
    expect(linesOf(tried.stderr)).toEqual([]);
  });

  it.each([
    'DB',
    'LINKS',
    'CLICKS',
    'WEBHOOKS',
    'ASSETS',
    'SIGN_IN_PAIR_LIMIT',
    'SIGN_IN_ADDRESS_LIMIT',
    'CREATE_LIMIT',
    'CREATE_ADDRESS_LIMIT',
    'WRITE_LIMIT',
    'WRITE_ADDRESS_LIMIT',
    'BAD_CREDENTIAL_LIMIT',
    'SHARED_STATISTICS_LIMIT',
    'VERIFY_LIMIT',
    'LOOKUP_LIMIT',
    'OPERATOR_LIMIT',
    'LARGE_BODY_LIMIT',
  ])('a dry run of a deploy binds %s', (name) => {
    expect(tried.stdout).toMatch(new RegExp(`^env\\.${name}\\b`, 'm'));
  });

  it('a dry run of a deploy builds modules of less than 600 KiB, each compressed, without the texts in languages', () => {
    const scripts = readdirSync(bundle).filter((name) => /\.(js|mjs|wasm)$/.test(name));
    expect(scripts).toContain('index.mjs');
    expect(scripts.length).toBeGreaterThan(20);
    // A page or a mail loads those of its language alone.
    const texts = scripts.filter((name) => LANGUAGE_TAGS.some((tag) => name.startsWith(`${tag}-0`)));
    expect(texts.length).toBe(LANGUAGE_TAGS.length + 2 * PLATFORM_LANGUAGES.length);
    const code = scripts.filter((name) => !texts.includes(name));
    const bytes = code.reduce((sum, name) => sum + gzipSync(readFileSync(join(bundle, name))).length, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(600 * 1024);
  });

  it('a dry run of a deploy writes the files for browsers first, which a clone has not, and their hashes', async () => {
    const clone = copyProject();
    const made = ['public/assets/scalar.js', 'public/assets/platform.js', 'src/http/asset-hashes.js'];
    const files = made.map((name) => join(clone, name));
    expect(files.filter((file) => existsSync(file))).toEqual([]);
    const { code, stdout } = await runProcess('npm', ['run', 'deploy', '--', '--help'], { cwd: clone });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: npm run deploy')]);
    const [viewer = '', scripts = '', hashes = ''] = files.map((file) => readFileSync(file, 'utf8'));
    expect(viewer).toMatch(/^\/\* Scalar API reference, from /);
    expect(hashes).toContain(`"platform.js": "${createHash('sha256').update(scripts).digest('hex').slice(0, 10)}"`);
  });

  it('a dry run of a deploy leaves wrangler.toml as it is', () => {
    expect(readFileSync(join(folder, 'wrangler.toml'))).toEqual(readFileSync(join(ROOT, 'wrangler.toml')));
  });
});
