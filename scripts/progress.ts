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
