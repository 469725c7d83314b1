import * as z from 'zod';
import { columns } from './columns.ts';
import { UsageError } from './cli-error.ts';
import type { Command } from './command.ts';

/** The command that prints the operator's log. */

const MOST = 1000;
const PRESET = 100;

const response = z.object({
  entries: z.array(
    z.object({
      at: z.string(),
      command: z.string(),
      subject: z.string().nullable(),
      key_thumbprint: z.string(),
      outcome: z.string(),
    }),
  ),
});

export const LOG_COMMANDS: Readonly<Record<string, Command>> = {
  log: {
    operand: null,
    takes: ['limit'],
    async prepare(_, options) {
      const limit = readLimit(options.limit);
      return async (service) => {
        const { entries } = await service.ask('list-log', { limit }, response);
        return columns([
          ['TIME', 'COMMAND', 'SUBJECT', 'OUTCOME', 'KEY'],
          ...entries.map(({ at, command, subject, outcome, key_thumbprint: key }) => [
            at,
            command,
            subject === null || subject === '' ? '-' : subject,
            outcome,
            key,
          ]),
        ]);
      };
    },
  },
};

/** Reads `--limit`. Throws `UsageError`. */
export function readLimit(text: string | undefined): number {
  if (text === undefined) return PRESET;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST) return limit;
  throw new UsageError(`--limit takes a number from 1 to ${MOST}.`);
}
