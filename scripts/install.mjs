// Installs the packages that package-lock.json names, if they are not there yet. Plain JavaScript that any Node from 20
// on can run: the Node that the other scripts need is one of those packages.
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

const TELL_SECONDS = 10;
// A package of ours with a small description.
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

// cmd.exe has no exec, by which a shell puts "npm start" into its own place: npm looks for commands here first.
if (process.platform === 'win32') writeFileSync(`${root}node_modules/.bin/exec.cmd`, '@%*\r\n');

// Null where it went well, else what there is to say of it.
async function install() {
  // Without a connection npm would try each of 500 packages for minutes. What it has in its cache it needs none for.
  const isConnected = (await npm(['view', PROBE, 'version', '--fetch-retries=0'], 15, 'ignore')) === 0;
  // The toolchain asks for a newer Node than the one that may be running this; npm's warnings about it are noise.
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  const minutes = isConnected ? 30 : 2;
  const begun = Date.now();
  const watch = setInterval(() => {
    console.error(`Still installing, after ${Math.round((Date.now() - begun) / 1000)} s …`);
  }, TELL_SECONDS * 1000);
  const code = await npm(
    ['ci', ...options, ...(isConnected ? [] : ['--offline'])],
    minutes * 60,
    // That a cache lacks a package is not what there is to be done.
    isConnected ? 2 : 'ignore',
  );
  clearInterval(watch);
  if (code === 0) return null;
  return code === null ? ` within ${minutes} minutes` : '';
}

// The exit code; null where npm was ended as it took too long.
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
