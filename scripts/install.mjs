// Installs the packages that package-lock.json names, if they are not installed yet. Plain JavaScript that any Node
// from 20 on can run: the Node that the other scripts need is one of those packages.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.installed`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex');

const REPORT_SECONDS = 10;
// A dependency whose metadata are small.
const PROBE = 'qr';

if (installed() !== wanted) {
  console.error('Installing packages …');
  const fault = await install();
  if (fault !== null) {
    console.error(
      `The packages could not be installed${fault}: check the connection to the npm registry, then try again.`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

// cmd.exe has no `exec`, with which package.json replaces the shell by the command. npm looks for commands in this
// folder first.
if (process.platform === 'win32') writeFileSync(`${root}node_modules/.bin/exec.cmd`, '@%*\r\n');

// Null on success, else the end of a sentence.
async function install() {
  // Without a connection npm would try each of 500 packages for minutes. With --offline it installs from its cache.
  const isConnected = (await npm(['view', PROBE, 'version', '--fetch-retries=0'], 15, 'ignore')) === 0;
  // The toolchain requires a newer Node than the one that may be running this; npm's warnings about it are noise.
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const minutes = isConnected ? 30 : 2;
  const begun = Date.now();
  const secondsLeft = () => Math.max(1, minutes * 60 - Math.round((Date.now() - begun) / 1000));
  const watch = setInterval(() => {
    console.error(`Still installing, after ${Math.round((Date.now() - begun) / 1000)} s …`);
  }, REPORT_SECONDS * 1000);
  // Offline, npm's error names a package that is missing in the cache, which would mislead.
  let code = await npm(['ci', ...options, isConnected ? '--prefer-offline' : '--offline'], secondsLeft(), 'ignore');
  // The cache may be older than a version that package-lock.json names.
  if (isConnected && code !== 0 && code !== null) code = await npm(['ci', ...options], secondsLeft(), 2);
  clearInterval(watch);
  if (code === 0) return null;
  return code === null ? ` within ${minutes} minutes` : '';
}

// The exit code; null if npm took too long and was killed.
function npm(args, seconds, output) {
  const child = spawn('npm', args, {
    cwd: root,
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code));
  });
}

function installed() {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return null;
  }
}
