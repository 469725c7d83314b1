// Installs the packages that package-lock.json names, if they are not there yet. Plain JavaScript that any Node from 20
// on can run: the Node that the other scripts need is one of those packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.installed`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex');

if (installed() !== wanted) {
  console.error('Installing packages …');
  // The toolchain asks for a newer Node than the one that may be running this; npm's warnings about it are noise.
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error('The packages could not be installed: check the connection to the npm registry, then try again.');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

function installed() {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return null;
  }
}
