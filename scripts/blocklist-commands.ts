import type { Database } from '../src/database.ts';
import { toInstant } from '../src/instant.ts';
import { blockHost, countLinksTo, listBlockedHosts, parseBlockedHost, unblockHost } from '../src/links/blocklist.ts';
import { columns } from './columns.ts';
import type { Command } from './command.ts';
import { UsageError } from './fail.ts';

/** The commands by which the operator says where no link may lead. */
export const BLOCKLIST_COMMANDS: Readonly<Record<string, Command>> = {
  block: forHost(
    blockHost,
    // So that a name too short, such as co.uk, is seen at once.
    async (db, host) =>
      `is blocked, with all below it. Links that stop leading there within minutes: ${await countLinksTo(db, host)}.`,
    'is blocked already',
  ),
  unblock: forHost(
    unblockHost,
    async () => 'is unblocked: links lead there again within minutes.',
    'is not blocked itself',
  ),
  blocked: {
    operand: null,
    takes: [],
    prepare: async () => async (db) => {
      const hosts = await listBlockedHosts(db);
      if (hosts.length === 0) return 'No host is blocked: npm run account -- block HOST';
      return columns([['HOST', 'SINCE'], ...hosts.map(({ host, blockedAt }) => [host, toInstant(blockedAt)])]);
    },
  },
};

function forHost(
  verb: (db: Database, host: string) => Promise<boolean>,
  outcomeOf: (db: Database, host: string) => Promise<string>,
  otherwise: string,
): Command {
  return {
    operand: 'HOST',
    takes: [],
    async prepare(operand) {
      const host = parseBlockedHost(operand);
      if (host === null) throw new UsageError('HOST must be a host name such as evil.example, or an IP address.');
      return async (db) => {
        if (!(await verb(db, host)))
          throw new UsageError(`${host} ${otherwise}: "npm run account -- blocked" lists all.`);
        return `${host} ${await outcomeOf(db, host)}`;
      };
    },
  };
}
