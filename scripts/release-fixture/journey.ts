import { followLinks, waitUntilCounted } from './clicks.ts';
import type { Known, KnownDomain, KnownKey } from './known.ts';
import { createLinks, editLinks } from './links.ts';
import { countAudit, createDomains, createKeys, invitePeople, signIn, signInByBrowser } from './people.ts';
import type { Project } from './processes.ts';
import { openService } from './service.ts';

/** The accounts of a fixture. */
interface Accounts {
  /** The value of TOKEN_KEYS. */
  readonly tokenKeys: string;
  readonly keys: readonly KnownKey[];
  readonly domain: KnownDomain;
}

/** The data that the journey leaves behind. */
export type Outcome = Omit<Known, 'note' | 'version' | 'databasePath' | 'blockedHosts'>;

// Invented for tests: no service has these accounts.
const ANN = { name: 'ann', password: 'correct horse one', clients: { acme: 'owner' } } as const;
const BOB = { name: 'bob', password: 'correct horse two', clients: { globex: 'owner', acme: 'owner' } } as const;
const DOMAIN = 'go.acme.example';
const BLOCKED = 'blocked.example';

const runTool = (project: Project, args: readonly string[], stdin?: string) =>
  project.run(['npm', 'run', '--silent', '--ignore-scripts', 'account', '--', ...args], stdin);

/**
 * Creates the users, their keys and a domain with the operator's tool. No server may run, since the tools of early
 * releases open the database themselves.
 *
 * @param persistTo the folder of the data
 */
export async function createAccounts(project: Project, persistTo: string): Promise<Accounts> {
  const run = (args: readonly string[], stdin?: string) =>
    runTool(project, [...args, '--persist-to', persistTo], stdin);
  const keys: KnownKey[] = [];
  for (const [{ name, password }, clientId] of [[ANN, 'acme'] as const, [BOB, 'globex'] as const]) {
    await run(['add', name, '--client', clientId, '--password-stdin'], password);
    const printed = await run(['key', clientId, '--name', 'build server']);
    const [, text] = /^api_key: (.+)$/m.exec(printed) ?? [];
    if (text === undefined) throw new Error(`no line "api_key: …" in:\n${printed}`);
    keys.push({ name: 'build server', clientId, text, scopes: null, state: 'active' });
  }
  await run(['join', BOB.name, '--client', 'acme']);
  await run(['domain', DOMAIN, '--client', 'acme']);
  return {
    tokenKeys: (await runTool(project, ['signing-key'])).trim(),
    keys,
    domain: { host: DOMAIN, clientId: 'acme', status: 'active', rootUrl: null, notFoundUrl: null },
  };
}

/** Does over HTTP what users, programs and visitors do, as far as the release can. */
export async function journey(origin: string, { tokenKeys, keys, domain }: Accounts): Promise<Outcome> {
  const createdAt = new Date().toISOString();
  const service = await openService(origin);
  const ann = await signIn(service, ANN.name, ANN.password);
  const bob = await signIn(service, BOB.name, BOB.password);
  const credentialsOf = (clientId: string) => ({
    ...(clientId === 'acme' ? ann.tokens : bob.tokens),
    apiKey: keys.find((key) => key.clientId === clientId)?.text ?? '',
  });

  const created = await createLinks(service, credentialsOf);
  // That one may have expired by now.
  const followed = created.filter(({ name }) => name !== 'expired');
  const sums = await followLinks(service, followed);
  await waitUntilCounted(service, sums, (clientId) => ({ 'X-API-Key': credentialsOf(clientId).apiKey }));
  const counted = created.map((link) => ({ ...link, clicks: sums.links[link.id] ?? link.clicks }));
  const links = await editLinks(service, counted, credentialsOf);

  const owner = { clientId: 'acme', accessToken: ann.tokens.accessToken };
  const moreKeys = await createKeys(service, owner);
  const domains = await createDomains(service, owner, domain);
  const { invites, users } = await invitePeople(service, owner);
  const sessionCookie = await signInByBrowser(service, ANN.name, ANN.password);
  return {
    createdAt,
    origin,
    tokenKeys,
    users: [{ ...ANN, ...ann, ...(sessionCookie !== null && { sessionCookie }) }, { ...BOB, ...bob }, ...users],
    apiKeys: [...keys, ...moreKeys],
    domains,
    links,
    invites,
    clients: sums.clients,
    encodeCalls: { acme: links.filter(({ name }) => name === 'encoded').length },
    auditEntries: { acme: await countAudit(service, owner) },
  };
}

/**
 * Blocks a host to which one of the links leads, if the release can, and returns all blocked hosts. No server may run.
 *
 * @param persistTo the folder of the data
 */
export async function blockHosts(project: Project, persistTo: string): Promise<string[]> {
  if (!/^ +block HOST/m.test(await runTool(project, ['--help']))) return [];
  await runTool(project, ['block', BLOCKED, '--persist-to', persistTo]);
  return [BLOCKED];
}
