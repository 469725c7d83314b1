import { DEFAULT_PERSIST_TO } from './database.ts';
import { UsageError } from './cli-error.ts';
import { readEnvironmentName } from './deploy/options.ts';
import type { ServiceLocation } from './operator.ts';

/** The options that say which service a tool works with. */
export const LOCATION_OPTIONS = {
  'persist-to': { type: 'string' },
  remote: { type: 'boolean', default: false },
  env: { type: 'string' },
  origin: { type: 'string' },
} as const;

/** The options that name the place of the data, in the usage of a tool. */
export const LOCATION_USAGE = '[--persist-to DIR | --remote [--env NAME] [--origin URL]]';

interface LocationValues {
  readonly 'persist-to'?: string | undefined;
  readonly remote: boolean;
  readonly env?: string | undefined;
  readonly origin?: string | undefined;
}

/** Throws `UsageError`. */
export function readLocation({ remote, env, origin, 'persist-to': persistTo }: LocationValues): ServiceLocation {
  if (remote && persistTo !== undefined) {
    throw new UsageError('--remote is the deployed database and --persist-to a local one: give one of them.');
  }
  if (!remote && env !== undefined) {
    throw new UsageError('--env goes with --remote: it names what "npm run deploy -- --env" has deployed.');
  }
  const environment = env === undefined ? null : readEnvironmentName(env);
  return { remote, persistTo: persistTo ?? DEFAULT_PERSIST_TO, origin, environment };
}
