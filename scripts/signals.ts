import { constants } from 'node:os';

/** Ends this process on a signal as usual, but with the handlers of `exit`, which remove what it leaves. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
