import * as z from 'zod';
import { listFailedMails } from '../mail/failed.ts';
import { toInstant } from '../time/instant.ts';
import { command, type OperatorCommand } from './command.ts';

/** The operator's command for mails that were not sent. */
export const MAIL_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'list-mails': command(
    () => z.strictObject({ limit: z.int().min(1).max(1000) }),
    async ({ db }, { limit }) => {
      const { waiting, failed } = await listFailedMails(db, limit);
      return {
        waiting,
        failed: failed.map(({ failedAt, ...mail }) => ({ ...mail, failed_at: toInstant(failedAt) })),
      };
    },
  ),
};
