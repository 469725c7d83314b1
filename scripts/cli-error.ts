/** What the operator got wrong, in one sentence that names the cure. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs a script: a `UsageError` ends it with its sentence and exit code 2, anything else with a stack and 1. */
export async function run(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** Prints an error, and gives the exit code of a script that ends with it. */
export function report(error: unknown): number {
  console.error(error instanceof UsageError ? error.message : error);
  return error instanceof UsageError ? 2 : 1;
}
