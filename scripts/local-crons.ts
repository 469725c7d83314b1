import type { Miniflare } from 'miniflare';

/** The crons of `wrangler.toml` on this machine, since Miniflare runs none. */

const MINUTE_MS = 60_000;

/**
 * Runs the crons at their times, in UTC, until the process ends; those of every few minutes also at once, since the
 * queues of this machine have lost their messages before a start. A failure is logged by the Worker itself.
 *
 * @param stopping aborts when the server begins to stop: Miniflare asks workerd for a cron synchronously, and would wait
 * forever for a workerd that takes no further connections
 */
export function runCrons(server: Pick<Miniflare, 'getWorker'>, crons: readonly string[], stopping: AbortSignal): void {
  const start = (cron: string) => void runCron(server, cron, stopping);
  crons.filter((each) => each.startsWith('*/')).forEach(start);
  let last = minuteOf(new Date());
  const timer = setInterval(() => {
    const now = new Date();
    const minute = minuteOf(now);
    if (minute === last) return;
    last = minute;
    crons.filter((each) => isDue(each, now)).forEach(start);
  }, MINUTE_MS / 4);
  timer.unref();
}

async function runCron(server: Pick<Miniflare, 'getWorker'>, cron: string, stopping: AbortSignal): Promise<void> {
  try {
    const worker = await server.getWorker();
    if (stopping.aborted) return;
    await worker.scheduled({ cron, scheduledTime: new Date() });
  } catch {
    // The process is ending.
  }
}

/** True if a cron runs in this minute. Throws for one with anything but numbers, `*` and steps of minutes or hours. */
export function isDue(cron: string, at: Date): boolean {
  const fields = cron.split(' ');
  if (fields.length !== 5) throw new TypeError(`not a cron: ${cron}`);
  const values = [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay()];
  return values.every((value, index) => fits(fields[index]!, value));
}

function fits(field: string, value: number): boolean {
  if (field === '*') return true;
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? [];
  if (step !== undefined) return value % Number(step) === 0;
  if (/^\d+$/.test(field)) return value === Number(field);
  throw new TypeError(`not supported on this machine: ${field}`);
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS);
