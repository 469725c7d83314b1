import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../bench/options.ts';
import { RATIO_NAMES } from '../../bench/ratios.ts';
import {
  ended,
  listen,
  makeFolder,
  runProcess,
  startProcess,
  strangersEnv,
  type Surroundings,
} from '../scripts/support/processes.ts';
import { NODE, ROOT } from '../scripts/support/project.ts';

// Much of its time the bench waits for clicks to be counted; on a busy machine all of it takes longer.
const DEADLINE_MS = 590_000;

type Env = NonNullable<Surroundings['env']>;

/** Lists what the bench has left in its folder for temporary files, and its processes that still run. */
function leftBy(env: Env): { files: string[]; processes: string[] } {
  const folder = env['TMPDIR'] ?? '';
  const all = existsSync('/proc/self/environ') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const processes = all.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
  return { files: readdirSync(folder), processes };
}

function bench(args: readonly string[], env: Env) {
  return runProcess(NODE, ['bench/bench.ts', ...args], { cwd: ROOT, env, deadlineMs: DEADLINE_MS });
}

const isMeasured = (figure: number) => figure > 0 && figure < Infinity;

/** The figures of the first round in which all was measured, or of the last of `rounds`, and what was printed. */
async function measure(rounds: number) {
  for (let left = rounds; ; left -= 1) {
    const env = strangersEnv();
    const json = join(makeFolder(), 'bench.json');
    const parts = ['--only', 'ratios', '--only', 'size'];
    const { code, stdout, stderr } = await bench(['--rounds', '1', '--seconds', '1', ...parts, '--json', json], env);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^building[^]*\nround 1 of 1\n/)]);
    const figures = JSON.parse(readFileSync(json, 'utf8'));
    expect(figures.clicks).toMatchObject({ is_exact: true });
    expect(leftBy(env)).toEqual({ files: [], processes: [] });
    if (left === 1 || RATIO_NAMES.every((name) => isMeasured(figures[name]))) return { figures, stdout };
  }
}

describe('npm run bench', () => {
  // One short round on a machine that others use may measure nothing at all, which a second one makes up for. What a
  // round leaves behind and whether it counts exactly is no matter of chance.
  it('npm run bench measures Terse beside its floors, and leaves nothing behind', async () => {
    const { figures, stdout } = await measure(2);
    for (const name of RATIO_NAMES) {
      expect(isMeasured(figures[name]), `${name} is ${figures[name]}`).toBe(true);
      expect(stdout).toMatch(new RegExp(`^${name} +${figures[name].toFixed(2)} .* (yes|no|-) `, 'm'));
    }
    expect(figures.clicks.answered).toBeGreaterThan(0);
    expect(figures.size.entry.gzipped).toBeGreaterThan(0);
    expect(figures.size.all.gzipped).toBeGreaterThan(figures.size.entry.gzipped);
    expect(figures.size.start_up_cpu_ms.median).toBeGreaterThan(0);
  });

  it('npm run bench ends what it has started on a signal', async () => {
    const env = strangersEnv();
    const child = startProcess(NODE, ['bench/bench.ts', '--only', 'counts'], { cwd: ROOT, env });
    const [stderr, end] = [listen(child.stderr), ended(child)];
    await new Promise<void>((resolve) => {
      child.stderr?.on('data', () => {
        if (stderr().includes('measuring the idle Worker')) resolve();
      });
    });
    child.kill('SIGTERM');
    expect(await end).toBe(143);
    expect(leftBy(env)).toEqual({ files: [], processes: [] });
  });

  it('npm run bench refuses wrong arguments with a sentence, and starts nothing', async () => {
    const env = strangersEnv();
    const { code, stdout, stderr } = await bench(['--rounds', '0'], env);
    expect([code, stdout, stderr]).toEqual([2, '', '--rounds takes a whole number from 1 to 100.\n']);
    expect(leftBy(env)).toEqual({ files: [], processes: [] });
  });

  it.each([
    '--rounds many',
    '--seconds 61',
    '--only nothing',
    '--json /nowhere/at/all.json',
    '--json .',
    '--json',
    '--unknown',
    'word',
  ])('npm run bench refuses %s with a sentence', (args) => {
    const sentence = expect.stringMatching(/^[^\n]+\.$/);
    expect(() => readOptions(args.split(' '))).toThrow(
      expect.objectContaining({ name: 'UsageError', message: sentence }),
    );
  });
});
