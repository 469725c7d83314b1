import { getPath } from 'hono/utils/url';
import { encodeRetirement } from '../api/encode-retirement.ts';
import type { EncodeSchedule } from '../config/config.ts';
import type { Core, HttpEnv } from '../http/env.ts';
import { SurfaceInParts, type Part } from '../http/parts.ts';
import { createApi } from '../http/surface.ts';
import { servicesOf } from './services.ts';

/** The API of an isolate, and the pages about it. */
export function openApi(core: Core): SurfaceInParts<HttpEnv> {
  const services = servicesOf(core);
  const { encode } = core.config;
  return new SurfaceInParts(partsOf(encode), () => createApi(services, [encodeRetirement(encode)]), getPath);
}

// In the order of their routes: some paths can be read as ids of links.
const partsOf = (encode: EncodeSchedule): readonly Part<HttpEnv>[] => [
  { paths: ['/tokens/*', '/.well-known/*'], load: async () => (await import('../api/tokens.ts')).tokensApi() },
  { paths: ['/v1/links', '/v1/links/batch'], load: async () => (await import('../api/links.ts')).linksApi() },
  { paths: ['/v1/links/lookup'], load: async () => (await import('../api/lookup.ts')).lookupApi() },
  {
    paths: ['/v1/links/export', '/v1/links/import'],
    load: async () => (await import('./further-api.ts')).transferApi(),
  },
  { paths: ['/v1/links/:id/*'], load: async () => (await import('./further-api.ts')).linkApi() },
  {
    paths: ['/v1/links-by-external-id/*'],
    load: async () => (await import('./further-api.ts')).externalLinksApi(),
  },
  {
    paths: ['/v1/links/:id/qr.svg', '/v1/links/:id/qr.png'],
    load: async () => (await import('./further-api.ts')).qrApi(),
  },
  {
    paths: ['/v1/campaigns', '/v1/campaigns/:name'],
    load: async () => (await import('./further-api.ts')).campaignsApi(),
  },
  { paths: ['/shortener/*'], load: async () => (await import('./further-api.ts')).encodeApi(encode) },
  { paths: ['/info/*'], load: async () => (await import('./further-api.ts')).infoApi() },
  {
    paths: [
      '/v1/stats',
      '/v1/stats.csv',
      '/v1/links/:id/stats',
      '/v1/links/:id/stats.csv',
      '/v1/campaigns/:name/stats',
    ],
    load: async () => (await import('./further-api.ts')).statsApi(),
  },
  { paths: ['/v1/clicks/*'], load: async () => (await import('./further-api.ts')).clicksApi() },
  { paths: ['/v1/keys/*'], load: async () => (await import('./further-api.ts')).keysApi() },
  { paths: ['/v1/me'], load: async () => (await import('./further-api.ts')).meApi() },
  { paths: ['/v1/members/*'], load: async () => (await import('./further-api.ts')).membersApi() },
  { paths: ['/v1/invites/*'], load: async () => (await import('./further-api.ts')).invitesApi() },
  { paths: ['/v1/audit'], load: async () => (await import('./further-api.ts')).auditApi() },
  { paths: ['/v1/tags/*'], load: async () => (await import('./further-api.ts')).tagsApi() },
  { paths: ['/v1/webhooks/*'], load: async () => (await import('./further-api.ts')).webhooksApi() },
  { paths: ['/v1/webhooks/:id/*'], load: async () => (await import('./further-api.ts')).deliveriesApi() },
  { paths: ['/v1/domains/*'], load: async () => (await import('./further-api.ts')).domainsApi() },
  { paths: ['/health'], load: async () => (await import('../api/health.ts')).healthApi() },
  { paths: ['/openapi.json'], load: async () => (await import('./further-api.ts')).referenceApi() },
  {
    paths: ['/', '/changelog', '/changelog.rss', '/docs', '/docs/*'],
    load: async () => (await import('../reference/pages.tsx')).referencePages(),
  },
];
