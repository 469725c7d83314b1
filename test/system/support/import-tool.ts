import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, runProcess, strangersEnv, type Outcome } from '../../scripts/support/processes.ts';
import { copyProject, NODE, printedAccount } from '../../scripts/support/project.ts';
import { ask, askForToken, startServer, type Tokens } from '../../scripts/support/server.ts';

/**
 * A service that was started, and `npm run import` for its client.
 *
 * @param optionsOf further options of the service, of its own origin
 */
export async function openImportTool(optionsOf: (origin: string) => readonly string[] = () => []) {
  const [project, persistTo] = [copyProject(), makeFolder()];
  const server = await startServer({ folder: project, persistTo, args: optionsOf });
  const account = printedAccount(server.output());
  const token = await askForToken(server.origin, account.user, account.password);
  const owner = { Authorization: `Bearer ${(JSON.parse(token.body) as Tokens).access_token}` };
  const argsOf = (file: string, more: readonly string[] = []) => [
    'scripts/import.ts',
    file,
    '--client',
    'default',
    ...(more.includes('--remote') ? more : [...more, '--persist-to', persistTo]),
  ];
  return {
    project,
    persistTo,
    server,
    owner,
    argsOf,
    run: (file: string, ...more: readonly string[]): Promise<Outcome> =>
      runProcess(NODE, argsOf(file, more), { cwd: project, env: strangersEnv() }),
    write: (text: string, name = 'links.csv'): string => {
      const file = join(makeFolder(), name);
      writeFileSync(file, text);
      return file;
    },
    exported: async (): Promise<Record<string, unknown>[]> => {
      const headers = { 'X-API-Key': account.apiKey };
      const { body } = await ask(`${server.origin}/v1/links/export?format=ndjson`, { headers });
      return body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
    /** Creates a webhook for imports, and returns its secret. */
    addWebhook: async (url: string): Promise<string> => {
      const { body } = await ask(`${server.origin}/v1/webhooks`, {
        method: 'POST',
        headers: { ...owner, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url, events: ['links.imported'] }),
      });
      return (JSON.parse(body) as { secret: string }).secret;
    },
    /** The keys of the client, also those that were revoked. */
    keys: async (): Promise<readonly { readonly name: string; readonly revoked_at: string | null }[]> =>
      JSON.parse((await ask(`${server.origin}/v1/keys`, { headers: owner })).body).keys,
  };
}
