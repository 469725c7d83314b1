/** The services that send requests to others, in a module that is loaded by the first of them. */

export { openCustomHostnames } from '../domains/custom-hostnames.ts';
export { openProber } from '../domains/probe.ts';
export { openAddressResolver, openResolver, openResolverCheck } from '../network/dns.ts';
export { openTargetFilter } from '../targets/resolver-filter.ts';
