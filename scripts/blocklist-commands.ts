import * as z from 'zod';
import { parseBlockedHost } from '../src/targets/blocklist.ts';
import { columns } from './columns.ts';
import type { Command } from './command.ts';
import { UsageError } from './cli-error.ts';
import type { Service } from './operator-service.ts';

/** The commands by which the operator blocks hosts. */
export const BLOCKLIST_COMMANDS: Readonly<Record<string, Command>> = {
  block: forHost(async (service, host) => {
    await service.ask('block-host', { host }, z.object({}));
    // Shows the number of links, so that a mistake such as co.uk is noticed at once.
    const links = await publishLinksTo(service, host);
    return `is blocked, with its subdomains. Links that stop working within minutes: ${links}.`;
  }),
  unblock: forHost(async (service, host) => {
    await service.ask('unblock-host', { host }, z.object({}));
    await publishLinksTo(service, host);
    return 'is unblocked: links to it work again within minutes.';
  }),
  blocked: {
    operand: null,
    takes: [],
    prepare: async () => async (service) => {
      const { hosts } = await service.ask('list-blocked-hosts', {}, blockedHosts);
      if (hosts.length === 0) return 'No host is blocked: npm run account -- block HOST';
      return columns([['HOST', 'SINCE'], ...hosts.map(({ host, blocked_at }) => [host, blocked_at])]);
    },
  },
};

const blockedHosts = z.object({ hosts: z.array(z.object({ host: z.string(), blocked_at: z.string() })) });
const published = z.object({ links: z.int(), after: z.string().nullable() });

/** Publishes the new state of the links to a host, in pages, so that the database can answer visitors in between. */
async function publishLinksTo(service: Service, host: string): Promise<number> {
  let total = 0;
  for (let after: string | null = ''; after !== null;) {
    const page: z.output<typeof published> = await service.askWithRetry('publish-links-to', { host, after }, published);
    total += page.links;
    after = page.after;
  }
  return total;
}

function forHost(work: (service: Service, host: string) => Promise<string>): Command {
  return {
    operand: 'HOST',
    takes: [],
    async prepare(operand) {
      const host = parseBlockedHost(operand);
      if (host === null) throw new UsageError('HOST must be a host name such as evil.example, or an IP address.');
      return async (service) => `${host} ${await work(service, host)}`;
    },
  };
}
