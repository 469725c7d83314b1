/**
 * Calls `end` once the npm that runs this script has ended: SIGHUP to npm alone does not reach what it runs, and SIGKILL never
 * does, so that a server would keep its port with nothing at the terminal to end it by. SIGINT and SIGTERM npm passes on, to
 * its own child, which is why package.json says `exec`: with a shell between, which waits, they would end nothing.
 *
 * Without npm nothing is watched: a program whose parent ends goes on, as with `nohup`.
 */
export function endWithNpm(end: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, LOOK_MILLISECONDS);
  watch.unref();
}

const LOOK_MILLISECONDS = 1000;
