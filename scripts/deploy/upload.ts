import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { UsageError } from '../cli-error.ts';
import { withProgress } from '../progress.ts';
import { writeSecretFile } from '../secret-file.ts';
import { startWrangler } from '../wrangler.ts';

/** The input of wrangler for an upload. */
export interface Upload {
  /** A folder outside the project's, for this upload alone. */
  readonly folder: string;
  readonly config: { readonly name: string };
  /** Secrets to put with it; those that exist stay. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Shown in the list of versions. */
  readonly message: string;
  /** The origin of the service, which the pages of the docs name. */
  readonly origin: string;
}

/** Uploads the Worker, gives it all requests, and sets its triggers. Returns the version's id. Throws `UsageError`. */
export const deployWorker = (upload: Upload): Promise<string> => uploadBy(['deploy'], upload);

/** Uploads the Worker as a version that gets no requests yet. Returns its id. Throws `UsageError`. */
export const uploadVersion = (upload: Upload): Promise<string> => uploadBy(['versions', 'upload'], upload);

/** Sets the triggers of the Worker: its address, its cron and its queues. Throws `UsageError`. */
export async function deployTriggers({ folder, config }: Pick<Upload, 'folder' | 'config'>): Promise<void> {
  await runQuietly(['triggers', 'deploy', '--config', writeConfig(folder, config)], {});
}

async function uploadBy(
  command: readonly string[],
  { folder, config, secrets, message, origin }: Upload,
): Promise<string> {
  const args = [...command, '--config', writeConfig(folder, config), '--message', message];
  if (Object.keys(secrets).length > 0) {
    const file = join(folder, 'secrets.json');
    writeSecretFile(file, JSON.stringify(secrets));
    args.push('--secrets-file', file);
  }
  const output = join(folder, 'output.ndjson');
  await runQuietly(args, { WRANGLER_OUTPUT_FILE_PATH: output, DOCS_ORIGIN: origin });
  return readVersion(output, config.name);
}

// These would make wrangler upload another Worker than the one of the configuration.
const NO_OTHER_WORKER = { CLOUDFLARE_ENV: undefined, WRANGLER_CI_OVERRIDE_NAME: undefined };

function writeConfig(folder: string, config: object): string {
  const file = join(folder, 'wrangler.json');
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}

async function runQuietly(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const wrangler = startWrangler(args, { stdio: ['ignore', 'pipe', 'pipe'] }, { ...env, ...NO_OTHER_WORKER });
  const said = { stdout: '', stderr: '' };
  wrangler.stdout?.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  wrangler.stderr?.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const [code] = await withProgress(
    () => `wrangler ${args[0]} is running`,
    () => once(wrangler, 'close'),
  );
  if (code === 0) return;
  throw new UsageError(
    `The Worker was not deployed completely: ${reasonOf(said.stderr + said.stdout)} Run the same command again to continue.`,
  );
}

/** All that wrangler said, in one line: a deploy lets it log only errors, and most have several lines. */
function reasonOf(said: string): string {
  const lines = stripVTControlCharacters(said)
    .split('\n')
    .map((line) => line.replace(/^.*\[ERROR\]/, '').replace(/^[\s-]+|\s+$/g, ''))
    .map((line) => (line === 'fetch failed' ? "Cloudflare's API did not answer" : line))
    .filter((line) => line !== '' && !/^(?:If you think this is a bug|Successful trigger changes)/.test(line));
  const sentences = lines.map((line) => (/[.:]$/.test(line) ? line : `${line}.`)).join(' ');
  return sentences || 'wrangler did not say why.';
}

const entry = z.looseObject({
  type: z.string(),
  worker_name: z.string().nullish(),
  version_id: z.string().nullish(),
});

function readVersion(file: string, worker: string): string {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const entries = lines.map((line) => entry.parse(JSON.parse(line)));
  const uploaded = entries.findLast(({ type }) => type === 'deploy' || type === 'version-upload');
  if (uploaded?.version_id && uploaded.worker_name === worker) return uploaded.version_id;
  throw new UsageError('wrangler did not name the version that it uploaded: run the same command again.');
}
