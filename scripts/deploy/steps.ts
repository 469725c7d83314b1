import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { parseOperatorKeys, type OperatorKey } from '../../src/secrets/jwks.ts';
import { SCHEMA_VERSION } from '../../src/database/schema-version.ts';
import { UsageError } from '../cli-error.ts';
import { migrate, migratedSentence } from '../migrations/migrate.ts';
import { ensureOperatorKey, operatorKeysText } from '../operator-key.ts';
import { readOperatorKeys } from '../settings.ts';
import { exitOnSignals } from '../signals.ts';
import type { Cloudflare } from './cloudflare.ts';
import { openRemoteSql } from './database.ts';
import { bindDomains, checkConflicts, keepDomains, type Agreed, type Domains } from './domains.ts';
import { ensureFirstAccount, keepFirstLink, openCheckAccount, type FirstAccount } from './first-account.ts';
import type { Inventory } from './inventory.ts';
import { createLink, openDeployed, pinTo, tryLink, waitForHost, type Target, type TriedLink } from './live.ts';
import { changedClasses } from './objects.ts';
import { logDeploy } from './operator-log.ts';
import { deployedOrigins } from './origins.ts';
import { configOf, type Environment, type Project } from './project.ts';
import type { Report } from './report.ts';
import { turnOnReplicas } from './replicas.ts';
import { createResources } from './resources.ts';
import { ensureTokenKeys, ensureWebhookKeys, firstAccountFile, operatorKeyFile } from './secrets.ts';
import { deployTriggers, deployWorker, uploadVersion, type Upload } from './upload.ts';
import { deployShares, readDeployments, setLogs, trustedVersion } from './versions.ts';

/** The tools of all steps of a deploy. */
interface Deploy {
  readonly cloudflare: Cloudflare;
  readonly project: Project;
  readonly environment: Environment;
  readonly found: Inventory;
  readonly domains: Domains;
  readonly origin: string;
  /** The setting; empty for the name at workers.dev. */
  readonly publicUrl: string;
  /** In percent; null for all at once. */
  readonly gradual: number | null;
  readonly ask: (question: string) => Promise<boolean>;
  readonly report: Report;
}

export interface Outcome {
  readonly link: TriedLink;
  /** Null if the service had accounts already. */
  readonly account: FirstAccount | null;
}

/** Which code a version has, for a later rollback. */
const VERSION_MESSAGE = `Terse ${packageJson.version}, schema ${SCHEMA_VERSION}`;

/** An attempt that is repeated gets the link of the first one. */
const FIRST_LINK = { 'Idempotency-Key': 'first-link-of-a-deploy' };

/** Deploys everything, step by step; each may have been done before. Throws `UsageError`. */
export async function deployAll(deploy: Deploy): Promise<Outcome> {
  const { cloudflare, project, environment, found, report } = deploy;
  // A domain that cannot be bound must not become the origin of a service that has another one.
  const agreed = found.worker ? await checkConflicts(cloudflare, environment, deploy.domains, deploy.ask) : null;
  const stores = await createResources(cloudflare, environment, found, report);
  const sql = openRemoteSql(cloudflare, stores.databaseId);
  const migrated = await migrate(sql);
  report.done('migrations', migratedSentence(migrated) ?? 'none is pending');
  // After the migrations, so that no new replica lacks them.
  await turnOnReplicas(cloudflare, stores.databaseId, found, report);
  const secrets = await secretsFor(environment, found, report);
  // Before this key is created.
  const others = [...readOperatorKeys(), ...keptOperatorKeys(environment, found)];
  const OPERATOR_KEYS = operatorKeysText(await ensureOperatorKey(operatorKeyFile(environment)), others);
  const vars = { OPERATOR_KEYS, PUBLIC_URL: deploy.publicUrl };
  const folder = mkdtempSync(join(tmpdir(), 'terse-'));
  // A folder with secrets must not stay after an interruption.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  exitOnSignals();
  try {
    const config = configOf(project, environment, { ...stores, accountId: cloudflare.accountId, vars });
    const upload = { folder, config, secrets, message: VERSION_MESSAGE, origin: deploy.origin };
    const outcome =
      deploy.gradual === null
        ? await deployAtOnce(deploy, upload, agreed)
        : await deployGradually(deploy, upload, deploy.gradual);
    await logDeploy(sql, environment, 'deploy', VERSION_MESSAGE);
    return outcome;
  } finally {
    remove();
  }
}

const MAX_DEPLOYED_KEYS = 5;

// A build in a container forgets the key that it creates, and must not revoke that of a person. At a terminal a missing file
// means that the key is to be replaced.
function keptOperatorKeys(environment: Environment, { worker }: Inventory): readonly OperatorKey[] {
  if (existsSync(operatorKeyFile(environment)) || process.stdout.isTTY) return [];
  return (parseOperatorKeys(worker?.vars['OPERATOR_KEYS'] ?? '') ?? []).slice(0, MAX_DEPLOYED_KEYS);
}

async function secretsFor(environment: Environment, { worker }: Inventory, report: Report) {
  const ensure = async (name: string, what: string, make: () => Promise<string> | string) => {
    if (worker?.secrets.includes(name) === true) {
      report.done(what, 'are there');
      return {};
    }
    const text = await make();
    report.done(what, 'created');
    return { [name]: text };
  };
  return {
    ...(await ensure('TOKEN_KEYS', 'signing keys', () => ensureTokenKeys(environment))),
    ...(await ensure('WEBHOOK_KEYS', 'keys for webhooks', () => ensureWebhookKeys(environment))),
  };
}

/** @param agreed what may be replaced, or null if there was no Worker to ask about */
async function deployAtOnce(deploy: Deploy, upload: Upload, agreed: Agreed | null): Promise<Outcome> {
  const { cloudflare, project, environment, found, domains, origin, ask, report } = deploy;
  const bind = (consent: Agreed) => bindDomains(cloudflare, environment, domains, consent, found.domains, report);
  const isNew = (host: string) => found.domains.every((domain) => domain.host !== host);
  if (agreed) await bind(agreed);
  const version = await deployWorker(upload);
  await setLogs(cloudflare, environment, project.observability);
  report.done(`Worker ${environment.worker}`, found.worker ? 'replaced' : 'created');
  const changed = changedClasses(project, found.worker).join(', ');
  if (changed !== '') {
    const what = found.worker ? `changed: ${changed}; there is no rollback across it` : `created: ${changed}`;
    report.done('Durable Objects', what);
  }
  if (!agreed) await bind(await checkConflicts(cloudflare, environment, domains, ask));
  keepDomains(environment, domains);
  try {
    for (const host of domains.hosts.filter((each) => isNew(each) || origin === `https://${each}`))
      await waitForHost(host);
    return await tryDeployed(environment, { origin, version, headers: {} });
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    const hasFormer = found.worker !== null && !existsSync(firstAccountFile(environment));
    const back =
      hasFormer && changed === '' ? ', or "npm run deploy -- --rollback" to return to the version before' : '';
    throw new UsageError(`${cause.message} Run the same command again to continue${back}.`, { cause });
  }
}

async function tryDeployed(environment: Environment, target: Target): Promise<Outcome> {
  const service = await openDeployed(target, await ensureOperatorKey(operatorKeyFile(environment)));
  deployedOrigins.keep(environment.name, target.origin);
  const account = await ensureFirstAccount(service, environment);
  if (!account || account.shortUrl !== null) {
    return { account, link: await tryLink(target, await openCheckAccount(service)) };
  }
  const link = await createLink(target, account, FIRST_LINK);
  keepFirstLink(environment, link.shortUrl);
  return { account, link };
}

async function deployGradually(deploy: Deploy, upload: Upload, percent: number): Promise<Outcome> {
  const { cloudflare, project, environment, origin, report } = deploy;
  const before = trustedVersion(await readDeployments(cloudflare, environment));
  const version = await uploadVersion(upload);
  report.done(`Worker ${environment.worker}`, `version ${version} uploaded`);
  const shares = [
    { version, percent },
    { version: before, percent: 100 - percent },
  ];
  await deployShares(cloudflare, environment, shares, `${VERSION_MESSAGE}, ${percent} %`);
  report.done(`Worker ${environment.worker}`, `version ${version} gets ${percent} %`);
  const target = { origin, version, headers: pinTo(environment.worker, version) };
  const link = await tryVersion(environment, target).catch(async (cause: unknown) => {
    await deployShares(cloudflare, environment, [{ version: before, percent: 100 }], 'given up');
    const reason = cause instanceof UsageError ? cause.message : String(cause);
    throw new UsageError(`${reason} The version before gets all requests again.`, { cause });
  });
  report.done(`Worker ${environment.worker}`, 'the new version created, followed and deleted a link');
  await deployShares(cloudflare, environment, [{ version, percent: 100 }], VERSION_MESSAGE);
  report.done(`Worker ${environment.worker}`, `version ${version} gets all requests`);
  await deployTriggers(upload);
  await setLogs(cloudflare, environment, project.observability);
  deployedOrigins.keep(environment.name, origin);
  return { account: null, link };
}

async function tryVersion(environment: Environment, target: Target): Promise<TriedLink> {
  const service = await openDeployed(target, await ensureOperatorKey(operatorKeyFile(environment)));
  return tryLink(target, await openCheckAccount(service));
}
