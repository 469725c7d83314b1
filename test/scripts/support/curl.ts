import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { makeFolder } from './processes.ts';
import { NODE } from './project.ts';

/** The environment with a `curl` on PATH: the machine's, or else a stand-in that knows the options we print. */
export function withCurl(env: Readonly<Record<string, string>>): Record<string, string> {
  if (hasCurl(env)) return { ...env };
  const folder = makeFolder();
  const standIn = join(import.meta.dirname, 'curl-stand-in.ts');
  writeFileSync(join(folder, 'curl'), `#!/bin/sh\nexec '${NODE}' '${standIn}' "$@"\n`);
  chmodSync(join(folder, 'curl'), 0o755);
  return { ...env, PATH: [folder, env['PATH']].join(delimiter) };
}

function hasCurl(env: Readonly<Record<string, string>>): boolean {
  try {
    execFileSync('curl', ['--version'], { env, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
