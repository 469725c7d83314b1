import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { run, UsageError } from './cli-error.ts';
import { openCloudflare } from './deploy/cloudflare.ts';
import { openRemoteSql } from './deploy/database.ts';
import { checkZones, hostOf, planDomains, type Domains } from './deploy/domains.ts';
import { forgetFirstAccount, type FirstAccount } from './deploy/first-account.ts';
import { checkGradual, gradualOf } from './deploy/gradual.ts';
import { readInventory, type Inventory } from './deploy/inventory.ts';
import { checkMailSettings } from './deploy/mail.ts';
import { checkClasses } from './deploy/objects.ts';
import { readDeployOptions, USAGE } from './deploy/options.ts';
import { reportPlan } from './deploy/plan.ts';
import { environmentOf, readProject, refuseLoopback, type Environment, type Project } from './deploy/project.ts';
import { terminalReport as report } from './deploy/report.ts';
import { rollBack } from './deploy/rollback.ts';
import { firstAccountFile, tokenKeysFile, webhookKeysFile } from './deploy/secrets.ts';
import { deployAll, type Outcome } from './deploy/steps.ts';
import { accountText } from './first-account.ts';
import { checkDatabase } from './migrations/migrate.ts';
import { QUIET_WRANGLER } from './wrangler.ts';

/** `npm run deploy`: from an empty account to a link, and from each version to the next. */

if (import.meta.main) await run(() => deploy(process.argv.slice(2)));

/** Runs the tool. Throws `UsageError`. */
async function deploy(args: readonly string[]): Promise<void> {
  const options = readDeployOptions(args);
  if (options === null) return console.log(USAGE);
  // Keeps lines of wrangler out of the output.
  Object.assign(process.env, QUIET_WRANGLER, { WRANGLER_LOG: 'error' });
  const project = readProject();
  const environment = environmentOf(project, options.environment);
  refuseLoopback(project, environment);
  const cloudflare = await openCloudflare(project.account_id);
  report.done('account', `${cloudflare.accountName} (${cloudflare.accountId})`);
  const found = await readInventory(cloudflare, project, environment);
  const { rollback, isDryRun } = options;
  if (rollback) return rollBack(cloudflare, environment, found, { ...rollback, isDryRun, ask, report });
  const domains = planDomains(environment, found.domains, hostOf(found.worker?.vars['PUBLIC_URL']), options);
  await checkZones(cloudflare, domains);
  checkClasses(project, environment, found.worker);
  if (found.databaseId !== null) await checkDatabase(openRemoteSql(cloudflare, found.databaseId));
  const gradual = gradualOf(options, project, found, domains);
  if (gradual !== null) await checkGradual(cloudflare, environment);
  const publicUrl = publicUrlOf(project, environment, found, domains);
  const mail = checkMailSettings(project, environment, found, publicUrl);
  if (mail !== null) report.done('mail', mail);
  if (isDryRun) return reportPlan(cloudflare, project, environment, found, domains, report);
  const origin = publicUrl || `https://${environment.worker}.${found.subdomain}.workers.dev`;
  const outcome = await deployAll({
    cloudflare,
    project,
    environment,
    found,
    domains,
    origin,
    publicUrl,
    gradual,
    ask,
    report,
  });
  sayWhatIsThere(outcome, origin);
  if (outcome.account) sayAccount(outcome.account, environment);
  const isNew = (name: string) => outcome.account !== null || found.worker?.secrets.includes(name) !== true;
  const keep = (name: string, file: string, what: string) => {
    if (!isNew(name) || !existsSync(file)) return;
    console.log(`\nKeep ${file} where you keep secrets: Cloudflare does not show ${what} again.`);
  };
  keep('TOKEN_KEYS', tokenKeysFile(environment), 'the signing keys');
  keep('WEBHOOK_KEYS', webhookKeysFile(environment), 'the keys for webhooks');
}

// Without a domain of its own the service keeps the origin that it was given otherwise, such as by a route.
function publicUrlOf({ vars, env }: Project, { name }: Environment, { worker }: Inventory, { own }: Domains): string {
  const configured = (name === null ? vars : env[name]?.vars)?.['PUBLIC_URL'];
  if (own === null) return configured || (worker?.vars['PUBLIC_URL'] ?? '');
  if (!configured || hostOf(configured) === own) return `https://${own}`;
  throw new UsageError(
    `PUBLIC_URL in wrangler.toml is ${configured}, but the first domain is ${own}, and nothing was changed: empty PUBLIC_URL, or put its host first in domains.json.`,
  );
}

function sayWhatIsThere({ link }: Outcome, origin: string): void {
  console.log(`\nServing on ${origin}, with the platform's pages at ${origin}/platform`);
  console.log(`Created and followed: ${link.shortUrl} → ${link.destination}`);
}

function sayAccount(account: FirstAccount, environment: Environment): void {
  if (!process.stdout.isTTY) {
    console.log(
      `\nAn account was created for you. Its password and key are in ${firstAccountFile(environment)}: keep them, then delete it.`,
    );
    return;
  }
  console.log(`\n${accountText(account)}`);
  forgetFirstAccount(environment);
}

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
