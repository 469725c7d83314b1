import { EXIT } from './outcome.ts';

const cleanUps = new Set<() => void>();

/** Runs a function if the command is interrupted before the returned function is called. */
export function onInterrupt(cleanUp: () => void): () => void {
  cleanUps.add(cleanUp);
  return () => cleanUps.delete(cleanUp);
}

/** Ends the command after the clean-up, without a message, at Ctrl-C or a signal. */
export function interrupt(exit: number = EXIT.interrupted): never {
  for (const cleanUp of cleanUps) cleanUp();
  process.exit(exit);
}

export function endOnSignals(): void {
  process.once('SIGINT', () => interrupt());
  process.once('SIGTERM', () => interrupt(EXIT.terminated));
}
