import { writeFileSync } from 'node:fs';

/** The mode of a file that only its owner can read. */
export const OWNER_ONLY = 0o600;

/** Writes a new file that only its owner can read. Throws if it exists. */
export function writeSecretFile(file: string, text: string): void {
  writeFileSync(file, `${text}\n`, { mode: OWNER_ONLY, flag: 'wx' });
}
