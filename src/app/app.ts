import type { Click } from '../clicks/click.ts';
import type { Config } from '../config/config.ts';
import { appLinkFileOf } from '../domains/app-links.ts';
import { HostProofs, PROOF_PATH } from '../domains/host-proofs.ts';
import { AppError } from '../errors.ts';
import { brandStylePath, isAssetPath, respondWithAsset } from '../http/assets.ts';
import {
  CONSENT_PATH,
  MCP_SEGMENT,
  OAUTH_PATHS,
  OPERATOR_PATHS,
  RESOURCE_METADATA_PATH,
  SERVER_METADATA_PATH,
} from '../http/paths.ts';
import { RequestTargets } from '../http/request-target.ts';
import { Later } from '../isolate/later.ts';
import { DerivedKeys } from '../secrets/random-secrets.ts';
import { UnlockCookies } from '../links/password/unlock-cookies.ts';
import type { LinkMemory } from '../links/redirect/resolve.ts';
import { slugOfPath } from '../links/redirect/slug-path.ts';
import { hasEndpoints, isServicePath } from '../links/slugs/reserved.ts';
import { isHostFile, RELATED_ORIGINS_PATH } from '../redirect/host-file-paths.ts';
import { inspectedSlug } from '../redirect/inspected-slug.ts';
import { redirect } from '../redirect/redirect.ts';
import { prefersPage, refuse } from '../redirect/refusal.ts';
import { IsolateClicks, type Drained } from './clicks.ts';
import { openCore } from './core.ts';
import { databaseOf, storesOf } from './stores.ts';
import { WorkUnderWay } from './work-under-way.ts';

export interface App {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> | Response;
  queue(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void>;
  scheduled(controller: ScheduledController, env: Env): Promise<void>;
  /** For a process that ends, as `IsolateClicks.drain`: it waits also for batches, webhooks and crons under way. */
  drain(env: Env, withinMs: number): Promise<Drained>;
}

/**
 * The whole service for one isolate: the host decides first, then the path. On its own host a path that can be a slug
 * is a short link, below /platform are the pages, and everything else is the API. On any other host there are only
 * short links.
 */
export function createApp(config: Config, memory?: LinkMemory): App {
  const core = openCore(config, memory);
  const secrets = config.tokenKeys.map(({ d }) => d);
  const cookies = new UnlockCookies(secrets);
  const askKeys = new DerivedKeys(secrets, 'terse link asks first');
  const requestTargets = new RequestTargets(config.publicUrl);
  const underWay = new WorkUnderWay();
  const clicks = new IsolateClicks(core, underWay);
  // An isolate starts for a redirect: all else is loaded by its first request.
  const api = new Later(async () => (await import('./api.ts')).openApi(core));
  const platform = new Later(async () => (await import('./platform.ts')).openPlatform(core));
  const mcp = new Later(async () => (await import('./mcp.ts')).openMcp(core));
  const oauth = new Later(async () => (await import('./oauth.ts')).openOAuth(core));
  const operator = new Later(async () => (await import('./operator.ts')).openOperator(core));
  const consumer = new Later(async () => {
    const [{ openQueues }, sender] = await Promise.all([import('./queues.ts'), clicks.sender.load()]);
    return openQueues(core, sender);
  });
  const hostPaths = new Later(() => import('../redirect/host-paths.ts'));
  const brandStyle = new Later(() => import('../http/brand-style.ts'));
  const inspections = new Later(() => import('../redirect/inspect.ts'));
  // Without operator keys the surface is off, and its paths are unknown paths.
  const hasOperator = config.operatorKeys.length > 0;

  return {
    fetch(request, env, ctx) {
      // Each read of this property creates a text.
      const { url } = request;
      const target = requestTargets.of(url);
      if (target === null)
        return refuse(
          request,
          new AppError('invalid_host', 'Host must be one host name, optionally with a port.'),
          config.publicUrl,
        );
      const { host, pathname } = target;
      // Both are reserved words, so that no slug begins with them.
      if (host === '' && pathname.startsWith('/v1/')) return serve(api, request, env, ctx);
      if (host === '' && (pathname === '/platform' || pathname.startsWith('/platform/')))
        return serve(platform, request, env, ctx);
      const slug = slugOfPath(pathname, host);
      if (host === '' && slug === MCP_SEGMENT) return serve(mcp, request, env, ctx);
      if (slug === null) {
        if (isAssetPath(pathname)) {
          const { colour } = config.brand;
          return colour !== null && pathname === brandStylePath(colour)
            ? brandStyle.use(({ respondWithBrandStyle }) => respondWithBrandStyle(request, colour))
            : respondWithAsset(request, pathname, env.ASSETS);
        }
        const { publicUrl } = config;
        if (pathname === PROOF_PATH)
          return hostPaths.use(({ respondToProbe }) => respondToProbe(request, new HostProofs(secrets), publicUrl));
        // The service's own host needs no other one.
        if (pathname === RELATED_ORIGINS_PATH && host !== '')
          return hostPaths.use(({ relatedOrigins }) =>
            relatedOrigins(request, host, databaseOf(env, core.watch), publicUrl),
          );
        const file = appLinkFileOf(pathname);
        if (file !== null) {
          const openDatabase = () => databaseOf(env, core.watch);
          return hostPaths.use(({ appLinks }) =>
            appLinks(request, file, host, core.appLinkMemory, openDatabase, publicUrl),
          );
        }
        if (isHostFile(pathname))
          return hostPaths.use(({ hostFile }) =>
            hostFile(request, pathname, host, databaseOf(env, core.watch), env.ASSETS, publicUrl),
          );
        if (host === '' && hasOperator && pathname.startsWith(OPERATOR_PATHS))
          return operator.use((surface) => surface(request, env));
        if (host === '' && pathname === CONSENT_PATH) return serve(platform, request, env, ctx);
        if (host === '' && isOfOAuth(pathname)) return serve(oauth, request, env, ctx);
        if (host === '' && isServicePath(pathname) && !isLostVisitor(request, pathname))
          return serve(api, request, env, ctx);
        if (pathname === '/')
          return hostPaths.use(({ domainRoot }) => domainRoot(request, host, databaseOf(env, core.watch), publicUrl));
      }
      const openStores = () => storesOf(core, env, ctx, new URL(request.url).origin);
      const recordClick = (click: Click) => clicks.add(click, env, (work) => ctx.waitUntil(work));
      const { publicUrl, notFoundUrl } = config;
      const visit = {
        request,
        url,
        memory: core.memory,
        openStores,
        cookies,
        askKeys,
        recordClick,
        publicUrl,
        notFoundUrl,
      };
      const inspected = slug === null ? inspectedSlug(pathname, host) : null;
      return inspected === null
        ? redirect(visit, { host, pathname, slug })
        : inspections.use(({ inspect }) => inspect(visit, { host, pathname, slug: inspected }));
    },
    queue(batch, env, ctx) {
      const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(underWay.track(work));
      return underWay.track(Promise.resolve(consumer.use((consume) => consume(batch, env, waitUntil))));
    },
    scheduled({ cron }, env) {
      const run = async () => {
        const [{ runCron }, sender] = await Promise.all([import('./crons.ts'), clicks.sender.load()]);
        await runCron(core, sender, cron, env);
      };
      return underWay.track(run());
    },
    drain: (env, withinMs) => clicks.drain(env, withinMs),
  };
}

const isOfOAuth = (pathname: string): boolean =>
  pathname.startsWith(OAUTH_PATHS) ||
  pathname === SERVER_METADATA_PATH ||
  pathname === RESOURCE_METADATA_PATH ||
  pathname.startsWith(`${RESOURCE_METADATA_PATH}/`);

/** True for a browser at a reserved word without endpoints, who gets what other addresses without a link get. */
function isLostVisitor(request: Request, pathname: string): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && !hasEndpoints(pathname) && prefersPage(request.headers.get('Accept') ?? '');
}

type Fetch = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/** Passes a request on to a surface, which is loaded if it is the first one. */
function serve(surface: Later<{ readonly fetch: Fetch }>, ...request: Parameters<Fetch>): Response | Promise<Response> {
  const { loaded } = surface;
  return loaded === undefined ? surface.load().then((served) => served.fetch(...request)) : loaded.fetch(...request);
}
