import type { Hono } from 'hono';
import type { Services } from '../http/env.ts';
import { accountPages } from './account.tsx';
import type { PlatformEnv } from './env.ts';
import { homePages } from './home.tsx';
import { keyPages } from './keys.tsx';
import { signInPages } from './sign-in.tsx';
import { createSurface } from './surface.tsx';

/** The pages that a customer uses, at `/platform` of the service's own host. */
export function createPlatform(services: Services): Hono<PlatformEnv> {
  const platform = createSurface(services);
  for (const pages of [signInPages(), homePages(), accountPages(), keyPages()]) platform.route('/', pages);
  return platform;
}
