const REPORT_SECONDS = 5;

/**
 * Says every few seconds on a terminal what a long work is doing and for how long; elsewhere nothing, since what runs a
 * tool by the clock takes such lines for errors.
 *
 * @param doing such as "Reading rows (12,000 until now)"
 */
export async function withProgress<T>(
  doing: () => string,
  work: () => Promise<T>,
  isTerminal = process.stderr.isTTY,
): Promise<T> {
  if (!isTerminal) return work();
  const begun = Date.now();
  const watch = setInterval(() => {
    console.error(`${doing()}, after ${Math.round((Date.now() - begun) / 1000)} s …`);
  }, REPORT_SECONDS * 1000);
  try {
    return await work();
  } finally {
    clearInterval(watch);
  }
}

const BAR_CELLS = 24;
const STEPS = 10;

/**
 * Shows how far a counted work has come: on a terminal as a bar that is drawn again, elsewhere as a line for each tenth.
 *
 * @param begin what was done before, which counts for no rate
 */
export function openBar(
  what: string,
  all: number,
  begin: number,
  { stream = process.stderr, now = Date.now } = {},
): { readonly show: (done: number) => void; readonly end: () => void } {
  const begun = now();
  let step = Math.floor((begin / Math.max(all, 1)) * STEPS);
  const textOf = (done: number) => {
    const rate = (done - begin) / Math.max((now() - begun) / 1000, 0.001);
    const left = rate > 0 ? `, ${durationOf((all - done) / rate)} left` : '';
    return `${done} of ${all} ${what}, ${Math.round(rate)} a second${done < all ? left : ''}`;
  };
  return {
    show: (done) => {
      if (stream.isTTY) {
        const filled = Math.round((done / Math.max(all, 1)) * BAR_CELLS);
        stream.write(`\r\u001B[K[${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}] ${textOf(done)}`);
        return;
      }
      const reached = Math.floor((done / Math.max(all, 1)) * STEPS);
      if (reached > step) stream.write(`${textOf(done)}\n`);
      step = Math.max(step, reached);
    },
    end: () => void (stream.isTTY && stream.write('\n')),
  };
}

function durationOf(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
