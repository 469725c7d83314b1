import type { TestProject } from 'vitest/node';
import { cleanUp, makeFolder } from '../../scripts/support/processes.ts';
import { copyProject } from '../../scripts/support/project.ts';
import { startServer } from '../../scripts/support/server.ts';
import { startResolver } from '../../support/resolver.ts';
import { findChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the Chromium to start. */
    readonly chromiumPath: string;
    /** The origin of the service that `npm start` has started. */
    readonly serviceOrigin: string;
    /** The output of the service at its start. */
    readonly serviceOutput: string;
    /** The folder of its data. */
    readonly persistTo: string;
  }
}

/** Starts one service, as its users do, for all browser tests, and finds a Chromium. */
export default async function startAll(project: TestProject): Promise<() => Promise<void>> {
  const persistTo = makeFolder();
  const resolver = await startResolver();
  project.provide('resolverUrl', resolver.url);
  const server = await startServer({
    folder: copyProject(),
    persistTo,
    // The probes of every custom domain go to the service itself, which believes the tests about addresses and countries.
    args: (origin) => {
      const settings = ['--var', `DNS_RESOLVER_URL:${resolver.url}`, '--var', `DOMAIN_PROBE_URL:${origin}`];
      return [...settings, '--trust-proxy', '127.0.0.1,::1', '--trust-cloudflare-headers'];
    },
  });
  project.provide('serviceOrigin', server.origin);
  project.provide('serviceOutput', server.output());
  project.provide('persistTo', persistTo);
  project.provide('chromiumPath', await findChromium());
  return async () => {
    await cleanUp();
    resolver.end();
  };
}
