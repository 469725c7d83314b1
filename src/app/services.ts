import type { AccessVerifier } from '../tokens/access-assertion.ts';
import { RecentSignIns } from '../accounts/sessions/recent-sign-ins.ts';
import type { Config } from '../config/config.ts';
import type { CustomHostnames } from '../domains/custom-hostnames.ts';
import { HostProofs } from '../domains/host-proofs.ts';
import { BoundedMap } from '../isolate/bounded-map.ts';
import { Later } from '../isolate/later.ts';
import { RecentlySeen } from '../isolate/recently-seen.ts';
import { Tallies } from '../isolate/tallies.ts';
import type { Core, Services } from '../http/env.ts';
import { HostWaits } from '../network/host-waits.ts';
import { eventQueueOf } from './stores.ts';

const opened = new WeakMap<Core, Services>();

/** Opens the services that the surfaces, the consumers and the crons of an isolate share, for the first of them. */
export function servicesOf(core: Core): Services {
  const services = opened.get(core) ?? openServices(core);
  opened.set(core, services);
  return services;
}

function openServices(core: Core): Services {
  const { config } = core;
  const { dnsResolverUrl, targetResolverUrl, domainProbeUrl, customHostnames, access } = config;
  return {
    ...core,
    keyRing: later(async () => (await import('./tokens.ts')).openKeyRing(config.tokenKeys)),
    verifyToken: later(async () => (await import('./tokens.ts')).verifyToken),
    verifyOAuthToken: later(async () => (await import('./tokens.ts')).verifyOAuthToken),
    recentSignIns: new RecentSignIns(),
    tallies: new Tallies(),
    openedStatistics: new WeakMap(),
    keyUses: new RecentlySeen(),
    verifyOperator: later(async () => (await import('./tokens.ts')).openOperatorVerifier(config.operatorKeys)),
    proofSources: {
      resolve: later(async () => (await import('./outside.ts')).openResolver(dnsResolverUrl)),
      resolveAddresses: later(async () => (await import('./outside.ts')).openAddressResolver(dnsResolverUrl)),
      probe: later(async () => {
        const proofs = new HostProofs(config.tokenKeys.map(({ d }) => d));
        return (await import('./outside.ts')).openProber(proofs, domainProbeUrl);
      }),
      checkResolver: later(async () => (await import('./outside.ts')).openResolverCheck(dnsResolverUrl)),
    },
    targetFilter:
      targetResolverUrl &&
      later(async () => (await import('./outside.ts')).openTargetFilter(targetResolverUrl, dnsResolverUrl)),
    eventQueueOf,
    verifyAssertion: access && accessVerifierOf(access),
    hostWaits: new HostWaits(),
    customHostnames: customHostnames && customHostnamesOf(customHostnames),
    providers: { ofWorkspaces: openProviderMemory(), own: openProviderMemory() },
  };
}

const MAX_PROVIDERS = 100;

const openProviderMemory = () => ({
  discovered: new BoundedMap<string, never>(MAX_PROVIDERS),
  keys: new BoundedMap<string, never>(MAX_PROVIDERS),
});

function accessVerifierOf(settings: NonNullable<Config['access']>): AccessVerifier {
  const opened = new Later(async () => (await import('./tokens.ts')).openAccessVerifier(settings));
  return async (assertion) => opened.use((verify) => verify(assertion));
}

function customHostnamesOf(settings: NonNullable<Config['customHostnames']>): CustomHostnames {
  const opened = new Later(async () => (await import('./outside.ts')).openCustomHostnames(settings));
  return {
    add: async (host) => opened.use((hostnames) => hostnames.add(host)),
    remove: async (host) => opened.use((hostnames) => hostnames.remove(host)),
  };
}

/** A function that is loaded by its first call. */
function later<Args extends unknown[], Result>(
  load: () => Promise<(...args: Args) => Promise<Result>>,
): (...args: Args) => Promise<Result> {
  const called = new Later(load);
  return async (...args) => called.use((call) => call(...args));
}
