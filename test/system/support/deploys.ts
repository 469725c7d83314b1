import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runProcess, strangersEnv, type Outcome } from '../../scripts/support/processes.ts';
import { copyProject, NODE } from '../../scripts/support/project.ts';
import { startCloudflare, type Cloudflare, type CloudflareOptions } from './cloudflare/cloudflare.ts';

/** `npm run deploy` from a copy of the project, to a stub of Cloudflare. */
export interface Deploys {
  /** The copy of the project. */
  readonly folder: string;
  readonly cloudflare: Cloudflare;
  readonly deploy: (...args: readonly string[]) => Promise<Outcome>;
  /** Runs another script of the project there, such as `scripts/account.ts`. */
  readonly runScript: (...args: readonly string[]) => Promise<Outcome>;
  /** Runs lines of a shell there. */
  readonly runShell: (lines: string) => Promise<Outcome>;
}

export async function openDeploys(options: CloudflareOptions = {}): Promise<Deploys> {
  const [folder, cloudflare] = [copyProject(), await startCloudflare(options)];
  onTestFinished(() => cloudflare.close());
  const run = (command: string, args: readonly string[]) =>
    runProcess(command, args, { cwd: folder, env: { ...strangersEnv(), ...cloudflare.env } });
  const runScript = (...args: readonly string[]) => run(NODE, args);
  const runShell = (lines: string) => run('sh', ['-ec', lines]);
  return { folder, cloudflare, runScript, runShell, deploy: (...args) => runScript('scripts/deploy.ts', ...args) };
}

/** Adds a migration to a copy of the project. */
export function addMigration(folder: string, sql: string): void {
  const number = readdirSync(join(folder, 'migrations')).length + 1;
  writeFileSync(join(folder, 'migrations', `${String(number).padStart(4, '0')}_of_a_test.sql`), sql);
}

/** The steps that a deploy has printed: what each says after its name. */
export function stepsOf({ stdout }: Outcome): Record<string, string> {
  const lines = stdout.split('\n').map((line) => /^(.{34}) (.+)$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match ? [[match[1]?.trim() ?? '', match[2] ?? '']] : [])));
}

/** What a request that changes something did, with `*` for ids; a query of D1 may be a question. */
export function changesOf(cloudflare: Cloudflare, from = 0): string[] {
  return cloudflare.requests
    .slice(from)
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/query'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f]{32}|[0-9a-f-]{36}/g, '*')}`);
}
