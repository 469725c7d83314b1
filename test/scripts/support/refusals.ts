import { existsSync, rmSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { occupyPort } from '../../../scripts/free-port.ts';
import { makeFolder } from './processes.ts';

/**
 * Expects that a start on a port in use is refused, and creates no folder. `start` gives the sentence of a refused start.
 */
export async function expectPortRefusal(start: (args: readonly string[]) => Promise<string>): Promise<void> {
  const { server, port } = await occupyPort();
  onTestFinished(() => void server.close());
  const persistTo = makeFolder();
  rmSync(persistTo, { recursive: true });
  const sentence = await start(['--port', String(port), '--persist-to', persistTo]);
  expect(sentence).toBe(`Port ${port} is in use: free it, or choose another with "npm start -- --port N".`);
  // No account was created, whose password would not have been shown.
  expect(existsSync(persistTo)).toBe(false);
}
