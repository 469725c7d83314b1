import type { TestProject } from 'vitest/node';
import { cleanUp, makeFolder } from '../../scripts/support/processes.ts';
import { copyProject } from '../../scripts/support/project.ts';
import { startServer } from '../../scripts/support/server.ts';
import { startResolver } from '../../support/resolver.ts';
import { launchChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one Chromium of the run is spoken to. */
    readonly browserEndpoint: string;
    /** Where the service answers that `npm start` has started. */
    readonly serviceOrigin: string;
    /** What it printed at its start. */
    readonly serviceOutput: string;
    /** The folder of its data. */
    readonly persistTo: string;
  }
}

/** Starts one service, as its users do, and one Chromium for all browser tests. */
export default async function startAll(project: TestProject): Promise<() => Promise<void>> {
  const persistTo = makeFolder();
  const resolver = await startResolver();
  project.provide('resolverUrl', resolver.url);
  const server = await startServer({
    folder: copyProject(),
    persistTo,
    // The probes of every custom domain go to the service itself.
    args: (origin) => ['--var', `DNS_RESOLVER_URL:${resolver.url}`, '--var', `DOMAIN_PROBE_URL:${origin}`],
  });
  const browser = await launchChromium();
  project.provide('serviceOrigin', server.origin);
  project.provide('serviceOutput', server.output());
  project.provide('persistTo', persistTo);
  project.provide('browserEndpoint', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await cleanUp();
    resolver.end();
  };
}
