import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { UsageError } from '../cli-error.ts';

/** The name of the environment that is deployed without `--env`. */
export const PRODUCTION = 'production';

/** A file in the project's folder that has a value for each environment. */
interface EnvironmentFile<Value> {
  /**
   * The value of an environment, or undefined. Throws `UsageError`.
   *
   * @param environment its name; null for production
   */
  readonly read: (environment: string | null) => Value | undefined;
  /** Keeps a value; the file is left alone if it has the value already. */
  readonly keep: (environment: string | null, value: Value) => void;
}

/** @param fault the sentence for a file that is malformed */
export function openEnvironmentFile<Schema extends z.ZodType>(
  file: string,
  value: Schema,
  fault: string,
): EnvironmentFile<z.output<Schema>> {
  const readAll = (): Record<string, z.output<Schema>> => {
    if (!existsSync(file)) return {};
    try {
      return z.record(z.string(), value).parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (cause) {
      throw new UsageError(fault, { cause });
    }
  };
  return {
    read: (environment) => readAll()[environment ?? PRODUCTION],
    keep(environment, kept) {
      const all = readAll();
      const changed = { ...all, [environment ?? PRODUCTION]: kept };
      if (JSON.stringify(changed) !== JSON.stringify(all)) writeFileSync(file, `${JSON.stringify(changed, null, 2)}\n`);
    },
  };
}
