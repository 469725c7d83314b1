import { parseArgs } from 'node:util';
import { parseDomainName } from '../../src/network/hosts.ts';
import { PRODUCTION } from './environment-file.ts';
import { optionFault, UsageError } from '../cli-error.ts';

export const USAGE = `Usage: npm run deploy [-- OPTIONS]

Deploys the service to your Cloudflare account, after "npm run login". What exists is found by its name, what is missing
is created, and what is pending is applied, so the same command creates, updates and continues after an interruption.

  --domain HOST        binds a domain whose zone is in the account; the first one is the origin of short links.
                       Domains are kept in domains.json
  --drop-domain HOST   unbinds a domain
  --env NAME           another set of everything, such as "staging"
  --gradual PERCENT    first gives that share of requests to the new version, tests it, then gives it all
  --rollback           gives all requests to the version before
  --to VERSION         with --rollback: to that version, which had all requests before
  --dry-run            prints what would be done, and changes nothing`;

/** The options of `npm run deploy`. */
export interface DeployOptions {
  /** The name of the environment; null for production. */
  readonly environment: string | null;
  /** The hosts to bind. */
  readonly domains: readonly string[];
  /** The hosts to unbind. */
  readonly dropped: readonly string[];
  /** The share of requests that the new version gets first, in percent; null for all at once. */
  readonly gradual: number | null;
  /** The version that gets all requests again, `to` null for the one before; null for a deploy. */
  readonly rollback: { readonly to: string | null } | null;
  readonly isDryRun: boolean;
}

/** Reads the arguments of `npm run deploy`; null if they ask for help. Throws `UsageError`. */
export function readDeployOptions(args: readonly string[]): DeployOptions | null {
  const { values } = parse(args);
  if (values.help) return null;
  const options = {
    environment: values.env === undefined ? null : readEnvironmentName(values.env),
    domains: (values.domain ?? []).map((host) => readHost('--domain', host)),
    dropped: (values['drop-domain'] ?? []).map((host) => readHost('--drop-domain', host)),
    gradual: values.gradual === undefined ? null : readPercent(values.gradual),
    rollback: values.rollback === true ? { to: values.to ?? null } : null,
    isDryRun: values['dry-run'] ?? false,
  };
  if (options.rollback === null && values.to !== undefined) {
    throw new UsageError('--to names the version that --rollback leads to: give both.');
  }
  if (options.rollback !== null && (options.gradual !== null || options.domains.length + options.dropped.length > 0)) {
    throw new UsageError('--rollback deploys nothing new: give it without --gradual, --domain and --drop-domain.');
  }
  const both = options.domains.find((host) => options.dropped.includes(host));
  if (both !== undefined) throw new UsageError(`${both} is named by --domain and by --drop-domain: give one of them.`);
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        domain: { type: 'string', multiple: true },
        'drop-domain': { type: 'string', multiple: true },
        env: { type: 'string' },
        gradual: { type: 'string' },
        rollback: { type: 'boolean' },
        to: { type: 'string' },
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw optionFault('deploy', error);
  }
}

/** The name that `--env` gives; null for production. Throws `UsageError`. */
export function readEnvironmentName(text: string): string | null {
  if (text === PRODUCTION) return null;
  if (/^[a-z](?:[a-z0-9-]{0,18}[a-z0-9])?$/.test(text)) return text;
  throw new UsageError('--env takes up to 20 small letters, digits and hyphens: --env staging');
}

function readHost(option: string, text: string): string {
  // Longer than a host name, since a Unicode name is converted to punycode after this check.
  const host = text.length > 1024 ? null : parseDomainName(text);
  if (host !== null) return host;
  throw new UsageError(`${option} takes a host name: ${option} go.example.com`);
}

function readPercent(text: string): number {
  const percent = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (percent >= 1 && percent <= 99) return percent;
  throw new UsageError('--gradual takes a number of percent from 1 to 99: --gradual 10');
}
