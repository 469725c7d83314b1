import { getPathNoStrict } from 'hono/utils/url';
import type { Services } from '../http/env.ts';
import { SurfaceInParts } from '../http/parts.ts';
import type { PlatformEnv } from './env.ts';
import type { NavSection } from './nav.ts';
import { PARTS } from './parts.ts';
import { createSurface } from './surface.tsx';

/** The pages of a client that its navigation leads to, in its order. */
const NAVIGATION: readonly NavSection[] = [
  { label: 'Overview', icon: 'chart-line', isInBar: true, pages: [{ path: '', label: 'Overview' }] },
  { label: 'Links', icon: 'link', isInBar: true, pages: [{ path: 'links', label: 'Links' }] },
  { label: 'Campaigns', icon: 'megaphone', isInBar: true, pages: [{ path: 'campaigns', label: 'Campaigns' }] },
  { label: 'Domains', icon: 'globe', pages: [{ path: 'domains', label: 'Domains' }] },
  {
    label: 'Settings',
    icon: 'settings',
    pages: [
      { path: 'settings', label: 'Workspace', ownersOnly: true },
      { path: 'members', label: 'Members', ownersOnly: true },
      { path: 'tags', label: 'Tags' },
      { path: 'links/utm-templates', label: 'UTM templates' },
      { path: 'audit', label: 'Audit log', ownersOnly: true },
    ],
  },
  {
    label: 'For developers',
    icon: 'terminal',
    isAtFoot: true,
    pages: [
      { path: 'keys', label: 'API keys' },
      { path: 'webhooks', label: 'Webhooks', ownersOnly: true },
    ],
  },
];

/** The pages that a customer uses, at `/platform` of the service's own host. */
export function createPlatform(services: Services): SurfaceInParts<PlatformEnv> {
  return new SurfaceInParts(PARTS, () => createSurface(services, NAVIGATION), getPathNoStrict);
}
