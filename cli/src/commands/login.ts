import type { Command } from 'commander-14';
import type { CommonOptions } from '../context.ts';
import { EXIT, Failure, usageFailure } from '../outcome.ts';
import { ask } from '../prompt.ts';
import { connect } from '../service.ts';
import { checkedKey, originOf, readStored, writeSignIn } from '../sign-in.ts';
import { plain } from '../text.ts';
import { notTerse } from '../transport.ts';
import { printJson, printLine } from '../terminal.ts';

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('Stores the URL of the service and an API key, in a file that only you can read')
    .argument('[url]', 'the URL of the service, such as https://go.example.com')
    .addHelpText('after', '\nThe key is asked for without showing it; without a terminal it is read from stdin.')
    .action(async (named: string | undefined, _options: unknown, command: Command) => {
      const { json, timeout, client } = command.optsWithGlobals<CommonOptions>();
      const url = originOf(named ?? (await askForUrl()));
      const key = checkedKey(await ask(`API key for ${url} (not shown): `, { isSecret: true }));
      const service = connect({ url, key }, timeout);
      const me = await service.data(service.api.GET('/v1/me'));
      // It can be the URL of another service.
      if (!Array.isArray(me.clients)) throw notTerse(url);
      const clients = me.clients.map(({ client_id }) => client_id);
      const chosen = choose(clients, client);
      const file = writeSignIn({ url, key, client: chosen });
      if (json) return printJson({ url, client_id: chosen, clients, file });
      await printLine(plain(`Signed in to ${url} for ${chosen}. The key is in ${file}.`));
    });
}

async function askForUrl(): Promise<string> {
  // A file that cannot be used is replaced.
  const stored = attempt(() => readStored()?.url);
  const url = (await ask(`URL of the service${stored ? ` (${stored})` : ''}: `)).trim();
  if (url === '' && stored === undefined) throw usageFailure('The URL of the service is missing.');
  return url || stored!;
}

function choose(clients: readonly string[], wanted: string | undefined): string {
  const [only, ...others] = clients;
  if (only === undefined) {
    throw new Failure('The key has no client.', { exit: EXIT.notSignedIn, code: 'no_client' });
  }
  if (wanted === undefined && others.length > 0) {
    throw usageFailure(`The key belongs to several clients: ${clients.join(', ')}. Name one with --client.`);
  }
  if (wanted !== undefined && !clients.includes(wanted)) {
    throw usageFailure(`The key does not belong to the client "${wanted}", but to ${clients.join(', ')}.`);
  }
  return wanted ?? only;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
