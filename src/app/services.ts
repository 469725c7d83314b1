import { RecentSignIns } from '../accounts/sessions/recent-sign-ins.ts';
import { openCustomHostnames } from '../domains/custom-hostnames.ts';
import { HostProofs } from '../domains/host-proofs.ts';
import { openProber } from '../domains/probe.ts';
import { RecentlySeen } from '../isolate/recently-seen.ts';
import { Tallies } from '../isolate/tallies.ts';
import { openAddressResolver, openResolver, openResolverCheck } from '../network/dns.ts';
import { openTargetFilter } from '../targets/resolver-filter.ts';
import { openKeyRing } from '../tokens/keys.ts';
import { openOperatorVerifier } from '../tokens/operator.ts';
import type { Core, Services } from '../http/env.ts';
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
  return {
    ...core,
    keyRing: openKeyRing(config.tokenKeys),
    recentSignIns: new RecentSignIns(),
    tallies: new Tallies(),
    openedStatistics: new WeakMap(),
    keyUses: new RecentlySeen(),
    verifyOperator: openOperatorVerifier(config.operatorKeys),
    proofSources: {
      resolve: openResolver(config.dnsResolverUrl),
      resolveAddresses: openAddressResolver(config.dnsResolverUrl),
      probe: openProber(new HostProofs(config.tokenKeys.map(({ d }) => d)), config.domainProbeUrl),
      checkResolver: openResolverCheck(config.dnsResolverUrl),
    },
    targetFilter: config.targetResolverUrl && openTargetFilter(config.targetResolverUrl, config.dnsResolverUrl),
    eventQueueOf,
    customHostnames: config.customHostnames && openCustomHostnames(config.customHostnames),
  };
}
