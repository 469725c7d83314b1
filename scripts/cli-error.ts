/** A mistake of the operator, in one sentence that names the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Runs a script: a `UsageError` ends it with its sentence and exit code 2, any other error with a stack and exit code
 * 1.
 */
export async function run(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** Prints an error, and returns the exit code. */
export function report(error: unknown): number {
  console.error(error instanceof UsageError ? error.message : error);
  return error instanceof UsageError ? 2 : 1;
}
