import { diskFullSentence } from './disk-full.ts';

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
 * Runs a script: a `UsageError` or a full disk ends it with a sentence and exit code 2, any other error with a stack and
 * exit code 1.
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
  const full = diskFullSentence(error);
  const isExpected = error instanceof UsageError || full !== null;
  const said = error instanceof UsageError ? error.message : '';
  console.error(isExpected ? [full, said].filter(Boolean).join(' ') : error);
  return isExpected ? 2 : 1;
}
