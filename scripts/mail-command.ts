import * as z from 'zod';
import { columns } from './columns.ts';
import { readLimit } from './log-command.ts';
import type { Command } from './command.ts';

/** The command that prints the mails that were not sent. */

const response = z.object({
  waiting: z.int(),
  failed: z.array(
    z.object({ id: z.string(), kind: z.string(), failed_at: z.string(), tries: z.int(), error: z.string() }),
  ),
});

export const MAIL_COMMANDS: Readonly<Record<string, Command>> = {
  mails: {
    operand: null,
    takes: ['limit'],
    async prepare(_, options) {
      const limit = readLimit(options.limit);
      return async (service) => {
        const { waiting, failed } = await service.ask('list-mails', { limit }, response);
        const rows = failed.map((mail) => [mail.failed_at, mail.kind, String(mail.tries), mail.error, mail.id]);
        const table = columns([['FAILED', 'KIND', 'ATTEMPTS', 'ERROR', 'ID'], ...rows]);
        return `${waiting} waiting, ${failed.length} failed\n${failed.length === 0 ? '' : table}`.trim();
      };
    },
  },
};
