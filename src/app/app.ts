import type { Hono } from 'hono';
import { auditApi } from '../api/audit.ts';
import { campaignsApi } from '../api/campaigns.ts';
import { deliveriesApi } from '../api/deliveries.ts';
import { clicksApi } from '../api/clicks.ts';
import { domainsApi } from '../api/domains.ts';
import { encodeApi, encodeRetirement } from '../api/encode.ts';
import { externalLinksApi } from '../api/external-links.ts';
import { healthApi } from '../api/health.ts';
import { infoApi } from '../api/info.ts';
import { invitesApi } from '../api/invites.ts';
import { keysApi } from '../api/keys.ts';
import { linkApi } from '../api/link.ts';
import { linksApi } from '../api/links.ts';
import { meApi } from '../api/me.ts';
import { membersApi } from '../api/members.ts';
import { qrApi } from '../api/qr.ts';
import { statsApi } from '../api/stats.ts';
import { tagsApi } from '../api/tags.ts';
import { tokensApi } from '../api/tokens.ts';
import { webhooksApi } from '../api/webhooks.ts';
import { transferApi } from '../api/transfer.ts';
import { hashPassword } from '../accounts/users/password.ts';
import { IsolateClicks, type Drained } from './clicks.ts';
import { runCron } from './crons.ts';
import { openQueues } from './queues.ts';
import { databaseOf, eventQueueOf, storesOf } from './stores.ts';
import { RecentSignIns } from '../accounts/sessions/recent-sign-ins.ts';
import type { Click } from '../clicks/click.ts';
import { ClickHooks } from '../clicks/events/hooks.ts';
import type { Config } from '../config/config.ts';
import { DatabaseWatch } from '../database/database-watch.ts';
import { appLinkFileOf } from '../domains/app-links.ts';
import { AppLinkMemory } from '../domains/app-link-memory.ts';
import { openCustomHostnames } from '../domains/custom-hostnames.ts';
import { openAddressResolver, openResolver, openResolverCheck } from '../network/dns.ts';
import { openTargetFilter } from '../targets/resolver-filter.ts';
import { openProber } from '../domains/probe.ts';
import { HostProofs, PROOF_PATH } from '../domains/host-proofs.ts';
import { AppError } from '../errors.ts';
import { answerAsset, isAssetPath } from '../http/assets.ts';
import type { HttpEnv, Services } from '../http/env.ts';
import { RequestTargets } from '../http/request-target.ts';
import { createApi } from '../http/surface.ts';
import { lazy } from '../isolate/lazy.ts';
import { UnlockCookies } from '../links/password/unlock-cookies.ts';
import { openLinkMemory, type LinkMemory } from '../links/redirect/resolve.ts';
import { isServicePath } from '../links/slugs/reserved.ts';
import { slugOfPath } from '../links/redirect/slug-path.ts';
import { appLinks } from '../redirect/app-links.ts';
import { hostFile, isHostFile } from '../redirect/host-files.ts';
import { createMcp, MCP_SEGMENT } from '../mcp/mcp.ts';
import { RecentlySeen } from '../isolate/recently-seen.ts';
import { logRequests } from '../operator/log.ts';
import { createOperator, isOperatorPath } from '../operator/operator.ts';
import { inspect, inspectedSlug } from '../redirect/inspect.ts';
import { answerProbe } from '../redirect/probe.ts';
import { redirect } from '../redirect/redirect.ts';
import { refuse } from '../redirect/refusal.ts';
import { createPlatform } from '../platform/app.ts';
import { domainRoot } from '../redirect/root.ts';
import { referenceApi } from '../reference/reference.ts';
import { referencePages } from '../reference/pages.tsx';
import { Tallies } from '../isolate/tallies.ts';
import { openKeyRing } from '../tokens/keys.ts';
import { openOperatorVerifier } from '../tokens/operator.ts';
import { WorkUnderWay } from './work-under-way.ts';
import { WorkQueue } from '../isolate/work-queue.ts';

export interface App {
  /** The routes of the API. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> | Response;
  queue(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void>;
  scheduled(controller: ScheduledController, env: Env): Promise<void>;
  /** For a process that ends, as `IsolateClicks.drain`: it waits also for batches, webhooks and crons under way. */
  drain(env: Env, withinMs: number): Promise<Drained>;
}

// More than the sign-in attempts of one address in a minute, so that one address cannot fill the queue.
const MAX_WAITING_HASHES = 64;

/**
 * The whole service for one isolate: the host decides first, then the path. On its own host a path that can be a slug
 * is a short link, below /platform are the pages, and everything else is the API. On any other host there are only
 * short links.
 */
export function createApp(config: Config, memory: LinkMemory = openLinkMemory(config.memorySeconds)): App {
  const proofs = new HostProofs(config.tokenKeys.map(({ d }) => d));
  const services: Services = {
    config,
    keyRing: openKeyRing(config.tokenKeys),
    recentSignIns: new RecentSignIns(),
    hashing: new WorkQueue(MAX_WAITING_HASHES),
    tallies: new Tallies(),
    openedStatistics: new WeakMap(),
    watch: new DatabaseWatch(config.restoreCheckSeconds * 1000),
    memory,
    appLinkMemory: new AppLinkMemory(config.memorySeconds * 1000),
    keyUses: new RecentlySeen(),
    verifyOperator: openOperatorVerifier(config.operatorKeys),
    proofSources: {
      resolve: openResolver(config.dnsResolverUrl),
      resolveAddresses: openAddressResolver(config.dnsResolverUrl),
      probe: openProber(proofs, config.domainProbeUrl),
      checkResolver: openResolverCheck(config.dnsResolverUrl),
    },
    targetFilter: config.targetResolverUrl && openTargetFilter(config.targetResolverUrl, config.dnsResolverUrl),
    eventQueueOf,
    customHostnames: config.customHostnames && openCustomHostnames(config.customHostnames),
  };
  const cookies = new UnlockCookies(config.tokenKeys.map(({ d }) => d));
  const requestTargets = new RequestTargets(config.publicUrl);
  const hooks = new ClickHooks();
  const underWay = new WorkUnderWay();
  const clicks = new IsolateClicks(services, hooks, underWay);
  const consume = openQueues(services, hooks, clicks);
  // Each surface is created by its first request, since a redirect needs none of them; the pages create theirs by
  // themselves. They are not imported dynamically: a Worker is one file, and the bundler would wrap all modules that they
  // share with the redirect, so that every start took longer.
  const api = lazy(() => apiOf(services));
  const platform = createPlatform(services);
  const mcp = lazy(() => createMcp(services));
  const operator = lazy(() =>
    createOperator({
      verify: services.verifyOperator,
      log: logRequests(config.accessLog),
      hash: (password) => services.hashing.take(() => hashPassword(password)),
      forget: () => {
        memory.targets.forgetAll('');
        services.appLinkMemory.forgetAll();
      },
      watch: services.watch,
      publicUrl: config.publicUrl,
      placesObjects: !config.clicksDirect,
    }),
  );
  // Without operator keys the surface is off, and its paths are unknown paths.
  const hasOperator = config.operatorKeys.length > 0;

  return {
    get routes() {
      return api().routes;
    },
    fetch(request, env, ctx) {
      const target = requestTargets.of(request.url);
      if (target === null)
        return refuse(
          request,
          new AppError('invalid_host', 'Host must be one host name, optionally with a port.'),
          config.publicUrl,
        );
      const { host, pathname } = target;
      // Both are reserved words, so that no slug begins with them.
      if (host === '' && pathname.startsWith('/v1/')) return api().fetch(request, env, ctx);
      if (host === '' && (pathname === '/platform' || pathname.startsWith('/platform/')))
        return platform.fetch(request, env, ctx);
      const slug = slugOfPath(pathname, host);
      if (host === '' && slug === MCP_SEGMENT) return mcp().fetch(request, env, ctx);
      if (slug === null) {
        if (isAssetPath(pathname)) return answerAsset(request, pathname, env.ASSETS);
        if (pathname === PROOF_PATH) return answerProbe(request, proofs, config.publicUrl);
        const file = appLinkFileOf(pathname);
        if (file !== null) {
          const openDatabase = () => databaseOf(env, services.watch);
          return appLinks(request, file, host, services.appLinkMemory, openDatabase, config.publicUrl);
        }
        if (isHostFile(pathname))
          return hostFile(request, pathname, host, databaseOf(env, services.watch), env.ASSETS, config.publicUrl);
        if (host === '' && hasOperator && isOperatorPath(pathname)) return operator()(request, env);
        if (host === '' && isServicePath(pathname)) return api().fetch(request, env, ctx);
        if (pathname === '/') return domainRoot(request, host, databaseOf(env, services.watch), config.publicUrl);
      }
      const openStores = () => storesOf(services, env, ctx, new URL(request.url).origin);
      const recordClick = (click: Click) => clicks.add(click, env, (work) => ctx.waitUntil(work));
      const visit = { request, memory, openStores, cookies, recordClick, publicUrl: config.publicUrl };
      const inspected = slug === null ? inspectedSlug(pathname, host) : null;
      return inspected === null
        ? redirect(visit, { host, pathname, slug })
        : inspect(visit, { host, pathname, slug: inspected });
    },
    queue(batch, env, ctx) {
      const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(underWay.track(work));
      return underWay.track(consume(batch, env, waitUntil));
    },
    scheduled: ({ cron }, env) => underWay.track(runCron({ services, clicks }, cron, env)),
    drain: (env, withinMs) => clicks.drain(env, withinMs),
  };
}

function apiOf(services: Services): Hono<HttpEnv> {
  const api = createApi(services, [encodeRetirement(services.config.encode)]);
  for (const resource of [
    tokensApi(),
    linksApi(),
    // Before the links by their ids, since its paths would be read as ids.
    transferApi(),
    linkApi(),
    externalLinksApi(),
    qrApi(),
    campaignsApi(),
    encodeApi(services.config.encode),
    infoApi(),
    statsApi(),
    clicksApi(),
    keysApi(),
    meApi(),
    membersApi(),
    invitesApi(),
    auditApi(),
    tagsApi(),
    webhooksApi(),
    deliveriesApi(),
    domainsApi(),
    healthApi(),
    referenceApi(),
    referencePages(),
  ])
    api.route('/', resource);
  return api;
}
