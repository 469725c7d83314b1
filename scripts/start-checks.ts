import type { OperatorKey } from '../src/secrets/jwks.ts';
import { ensureDevVars } from './dev-vars.ts';
import type { FrontSettings } from './edge/front.ts';
import { refuseHolder, takeLock } from './lock.ts';
import { findHost } from './ports.ts';
import { checkSettings, readStartOptions } from './settings.ts';

const DEFAULT_PORT = 8787;

/** The input of `npm start`. */
interface Prepared {
  readonly port: number;
  /** The addresses to listen on, as `findHost` gives them. */
  readonly host: string;
  readonly origin: string;
  readonly persistTo: string;
  /** The settings of .dev.vars and of the arguments. */
  readonly settings: Readonly<Record<string, string>>;
  readonly operatorKeys: readonly OperatorKey[];
  /** True if mails are caught here: nothing says how they are sent, or where their links lead. */
  readonly catchesMails: boolean;
  /** The settings that its front reads. */
  readonly front: FrontSettings;
}

/** Checks everything that a start needs, and takes the lock of its state. Throws `UsageError`. */
export async function prepareStart(args: readonly string[]): Promise<Prepared> {
  const { port, ip, persistTo, vars, trustedProxies, trustsCloudflare } = readStartOptions(args, DEFAULT_PORT);
  const devVars = await ensureDevVars();
  const { operatorKeys, publicUrl, mail } = checkSettings(devVars, vars);
  const settings = { ...devVars, ...vars };
  const catchesMails = publicUrl === null && mail === null && !settings['MAIL_URL'];
  // The lock is checked before the port: at a second start the running server is the reason, not its port.
  await refuseHolder(persistTo);
  const host = await findHost(port, ip);
  const origin = `http://localhost:${port}`;
  await takeLock(persistTo, origin);
  const front = {
    TRUSTED_PROXIES: trustedProxies.join(),
    TRUST_CLOUDFLARE_HEADERS: trustsCloudflare ? 'on' : 'off',
  };
  return { port, host, origin, persistTo, settings, operatorKeys, catchesMails, front };
}
