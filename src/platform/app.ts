import { getPathNoStrict } from 'hono/utils/url';
import type { Services } from '../http/env.ts';
import { SurfaceInParts } from '../http/parts.ts';
import type { PlatformEnv } from './env.ts';
import type { NavSection } from './nav.ts';
import { PARTS } from './parts.ts';
import { createSurface } from './surface.tsx';

/** The pages of a client that its navigation leads to, in its order. */
const NAVIGATION: readonly NavSection[] = [
  { label: 'nav.overview', icon: 'chart-line', isInBar: true, pages: [{ path: '', label: 'nav.overview' }] },
  { label: 'nav.links', icon: 'link', isInBar: true, pages: [{ path: 'links', label: 'nav.links' }] },
  { label: 'nav.campaigns', icon: 'megaphone', isInBar: true, pages: [{ path: 'campaigns', label: 'nav.campaigns' }] },
  { label: 'nav.domains', icon: 'globe', pages: [{ path: 'domains', label: 'nav.domains' }] },
  {
    label: 'nav.settings',
    icon: 'settings',
    pages: [
      { path: 'settings', label: 'nav.workspace', ownersOnly: true },
      { path: 'members', label: 'nav.members', ownersOnly: true },
      { path: 'tags', label: 'nav.tags' },
      { path: 'links/utm-templates', label: 'nav.templates' },
      { path: 'audit', label: 'nav.audit', ownersOnly: true },
    ],
  },
  {
    label: 'nav.developers',
    icon: 'terminal',
    isAtFoot: true,
    pages: [
      { path: 'keys', label: 'nav.keys' },
      { path: 'webhooks', label: 'nav.webhooks', ownersOnly: true },
    ],
  },
];

/** The pages that a customer uses, at `/platform` of the service's own host. */
export function createPlatform(services: Services): SurfaceInParts<PlatformEnv> {
  return new SurfaceInParts(PARTS, () => createSurface(services, NAVIGATION), getPathNoStrict);
}
