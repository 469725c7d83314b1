import { readMail } from '../../src/config/mail.ts';
import { ConfigError } from '../../src/config/setting-values.ts';
import { UsageError } from '../cli-error.ts';
import type { Inventory } from './inventory.ts';
import { varsOf, type Environment, type Project } from './project.ts';

/**
 * Refuses settings of mail that a deployed service cannot send with, and returns the way in which it does; null if it sends
 * none. Throws `UsageError`.
 *
 * @param publicUrl the setting as it is deployed; empty for the name at workers.dev
 */
export function checkMailSettings(
  project: Project,
  environment: Environment,
  { worker }: Pick<Inventory, 'worker'>,
  publicUrl: string,
): string | null {
  const vars = varsOf(project, environment);
  const isSet = (name: string) => (vars[name] ?? '').trim() !== '';
  const hasBinding = project.send_email.some(({ name }) => name === 'MAIL');
  if (isSet('MAIL_TOKEN')) {
    throw refusal(
      'MAIL_TOKEN is in wrangler.toml, which is no place for a secret',
      `remove it there, and ${SET_TOKEN} --name ${environment.worker}"`,
    );
  }
  const mail = readSettings(vars);
  if (hasBinding && !isSet('MAIL_FROM')) {
    throw refusal(
      'wrangler.toml has the binding MAIL, but no MAIL_FROM',
      'set MAIL_FROM to the address that mails come from, or remove the binding',
    );
  }
  if (!isSet('MAIL_FROM')) return null;
  if (!hasBinding && !isSet('MAIL_URL')) {
    throw refusal(
      'MAIL_FROM in wrangler.toml is set, but neither the binding MAIL nor MAIL_URL',
      'add one of them, as docs/mail.md says, or empty MAIL_FROM',
    );
  }
  if (publicUrl === '') {
    throw refusal(
      'MAIL_FROM in wrangler.toml is set, but the links of mails need PUBLIC_URL',
      'add a domain of your own with --domain, or set PUBLIC_URL to the origin of the service',
    );
  }
  if (mail === null) return 'sent by the binding MAIL';
  if (worker === null) {
    throw refusal(
      'MAIL_URL in wrangler.toml is set, but there is no Worker yet that could have the secret MAIL_TOKEN',
      `empty MAIL_FROM and MAIL_URL, deploy, ${SET_TOKEN} --name ${environment.worker}", then set both and deploy again`,
    );
  }
  if (!worker.secrets.includes('MAIL_TOKEN')) {
    throw refusal(
      'MAIL_URL in wrangler.toml is set, but the Worker has no secret MAIL_TOKEN',
      `${SET_TOKEN} --name ${environment.worker}", then deploy again`,
    );
  }
  return `sent by ${mail.host}`;
}

const SET_TOKEN = 'run "npx wrangler secret put MAIL_TOKEN';

const refusal = (what: string, remedy: string) => new UsageError(`${what}, and nothing was changed: ${remedy}.`);

/** The URL of the API, or null; the service reads these settings in the same way. */
function readSettings(vars: Readonly<Record<string, string>>): URL | null {
  try {
    return readMail({ ...vars, MAIL_ORIGIN: 'https://origin.invalid' }, null)?.api?.url ?? null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw refusal(error.message.replace(/\.$/, ''), 'correct it in wrangler.toml');
  }
}
