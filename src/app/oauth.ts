import { createOAuth } from '../oauth/oauth.ts';
import type { Core } from '../http/env.ts';
import { servicesOf } from './services.ts';

/** OAuth for programs of others, of an isolate. */
export const openOAuth = (core: Core): ReturnType<typeof createOAuth> => createOAuth(servicesOf(core));
