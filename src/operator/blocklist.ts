import * as z from 'zod';
import { AppError } from '../errors.ts';
import { lazy } from '../isolate/lazy.ts';
import { toInstant } from '../time/instant.ts';
import { blockHost, listBlockedHosts, parseBlockedHost, unblockHost } from '../targets/blocklist.ts';
import { publishLinksTo } from '../links/edit/publish-links-to.ts';
import { auditHost } from './audit.ts';
import { command, type OperatorCommand } from './command.ts';

/** The operator's commands for the list of blocked hosts. */

const MAX_HOST = 1024;

const host = lazy(() =>
  z.string().transform((text, context) => {
    const parsed = text.length > MAX_HOST ? null : parseBlockedHost(text);
    if (parsed !== null) return parsed;
    const message = 'must be a host name such as evil.example, or an IP address';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }),
);

const oneHost = () => z.strictObject({ host: host() });

export const BLOCKLIST_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'block-host': command(oneHost, async ({ db }, { host }) => {
    if (await blockHost(db, host)) return { host };
    throw new AppError(
      'edit_conflict',
      `${host} is already blocked: "npm run account -- blocked" lists all blocked hosts.`,
    );
  }),
  'unblock-host': command(oneHost, async ({ db }, { host }) => {
    if (await unblockHost(db, host)) return { host };
    throw new AppError(
      'edit_conflict',
      `${host} itself is not blocked: "npm run account -- blocked" lists all blocked hosts.`,
    );
  }),
  // In pages, since a query over a million links takes two seconds, in which D1 answers nothing else.
  'publish-links-to': command(
    () => z.strictObject({ host: host(), after: z.string().max(64) }),
    async ({ db, kv, forget }, { host, after }) => {
      forget();
      const { clients, ...page } = await publishLinksTo(db, kv, host, after);
      if (clients.length > 0) await db.batch([auditHost(clients, host)]);
      return page;
    },
  ),
  'list-blocked-hosts': command(
    () => z.strictObject({}),
    async ({ db }) => ({
      hosts: (await listBlockedHosts(db)).map(({ host, blockedAt }) => ({ host, blocked_at: toInstant(blockedAt) })),
    }),
  ),
};
