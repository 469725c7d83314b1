/** A mistake of the operator, in one sentence that names the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The error for arguments that `parseArgs` of node:util has refused. @param tool such as "deploy" of `npm run deploy` */
export function optionFault(tool: string, error: unknown): UsageError {
  const [sentence] = String(error instanceof Error ? error.message : error).split(/[.\n]/, 1);
  return new UsageError(`${sentence}: "npm run ${tool} -- --help" lists the options.`, { cause: error });
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
