/**
 * Calls `end` once the npm that runs this script has ended. npm does not pass on SIGHUP, and cannot pass on SIGKILL, so
 * that a server would run on and keep its port. npm passes SIGINT and SIGTERM on to its own child only, which is why
 * package.json says `exec`: a shell in between would wait for its command instead of ending it.
 *
 * Without npm nothing is watched: the script runs on when its parent ends, as with `nohup`.
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
