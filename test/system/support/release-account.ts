import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Deploys } from './deploys.ts';
import { ROOT } from '../../scripts/support/project.ts';
import { classesIn, classesOf, unpackWorker, type Release } from './releases.ts';

/** The ids in an account. */
interface ReleaseAccount {
  readonly databaseId: string;
  readonly namespaceId: string;
  /**
   * Deploys the code of a release over a newer one, as docs/self-hosting.md says of a return to former code: with an empty
   * class for each of the present Durable Objects that it lacks.
   *
   * @param message what its `npm run deploy` leaves, if it has that command
   */
  readonly deployFormer: (former: Release, message?: string) => Promise<void>;
}

/**
 * Deploys a release by hand, as its README.md said: each store by a command of its own, then the Worker by wrangler. The
 * queue for dead letters keeps messages for four days, since that README did not say how to change that later.
 *
 * @param hosts the domains; the first one is the origin of short links
 * @param withClicks false for a service whose links were never clicked, which is upgraded without a release in between
 */
export async function deployRelease(
  { cloudflare, runScript }: Deploys,
  release: Release,
  hosts: readonly string[],
  { withClicks = false } = {},
): Promise<ReleaseAccount> {
  const create = async <Created>(path: string, body: object): Promise<Created> => {
    const { success, errors, result } = await cloudflare.call('POST', `/accounts/:account/${path}`, body);
    if (!success) throw new Error(`${path}: ${JSON.stringify(errors)}`);
    return result as Created;
  };
  const { uuid: databaseId } = await create<{ uuid: string }>('d1/database', { name: 'terse' });
  const { id: namespaceId } = await create<{ id: string }>('storage/kv/namespaces', { title: 'LINKS' });
  for (const queue_name of ['terse-clicks', 'terse-clicks-dead']) await create('queues', { queue_name });
  const statements = contentOf(join(release.folder, 'database.sqlite'), withClicks);
  await create(`d1/database/${databaseId}/query`, { batch: statements.map((sql) => ({ sql })) });

  const unpack = (each: Release) => {
    const { module, config } = unpackWorker(each);
    const settings = readFileSync(config, 'utf8')
      .replace('database_name = "terse"', `database_name = "terse"\ndatabase_id = "${databaseId}"`)
      .replace('binding = "LINKS"', `binding = "LINKS"\nid = "${namespaceId}"`)
      .replace('PUBLIC_URL = ""', `PUBLIC_URL = "https://${hosts[0]}"`);
    writeFileSync(config, settings);
    return { module, config };
  };
  const domains = hosts.flatMap((host) => ['--domain', host]);
  const wrangler = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--no-bundle'];
  const deploy = async ({ module, config }: ReturnType<typeof unpack>, ...args: readonly string[]) => {
    const { code, stderr } = await runScript(...wrangler, module, '--config', config, ...args, ...domains);
    if (code !== 0) throw new Error(`The release was not deployed: ${stderr}`);
  };
  const unpacked = unpack(release);
  const secrets = join(unpacked.config, '../secrets.json');
  writeFileSync(secrets, JSON.stringify({ TOKEN_KEYS: release.known.tokenKeys }));
  await deploy(unpacked, '--secrets-file', secrets);
  const deployFormer = async (former: Release, message?: string) => {
    const again = unpack(former);
    const lacked = classesIn(join(ROOT, 'wrangler.toml')).filter((name) => !classesOf(former).includes(name));
    for (const name of lacked) addEmptyClass(again, name);
    await deploy(again, ...(message === undefined ? [] : ['--message', message]));
  };
  return { databaseId, namespaceId, deployFormer };
}

function addEmptyClass({ module, config }: ReturnType<typeof unpackWorker>, name: string): void {
  appendFileSync(module, emptyClass(name));
  appendFileSync(config, `\n[[durable_objects.bindings]]\nname = "${name}"\nclass_name = "${name}"\n`);
  appendFileSync(config, `\n[exports.${name}]\ntype = "durable-object"\nstorage = "sqlite"\n`);
}

/** The source of a Durable Object, for the end of a module. */
export const emptyClass = (name: string): string => `
import { DurableObject as Empty${name} } from 'cloudflare:workers';
export class ${name} extends Empty${name} {}
`;

/** The statements that create what a database has. */
function contentOf(file: string, withClicks: boolean): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const all = (sql: string) => database.prepare(sql).all() as { type: string; name: string; sql: string }[];
    const parts = all(String.raw`SELECT type, name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE '\_cf\_%' ESCAPE '\' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`);
    const rows = parts
      .filter(({ type, name }) => type === 'table' && (withClicks || name !== 'click_days'))
      .flatMap(({ name }) => insertsOf(database, name));
    return ['PRAGMA defer_foreign_keys = ON', ...parts.map(({ sql }) => sql), ...rows];
  } finally {
    database.close();
  }
}

function insertsOf(database: DatabaseSync, table: string): string[] {
  const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
  const quoted = columns.map(({ name }) => `quote("${String(name)}")`).join(` || ', ' || `);
  const rows = database.prepare(`SELECT ${quoted} AS quoted FROM "${table}"`).all();
  return rows.map(({ quoted }) => `INSERT INTO "${table}" VALUES (${String(quoted)})`);
}
