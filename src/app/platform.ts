import { createPlatform } from '../platform/app.ts';
import type { Core } from '../http/env.ts';
import { servicesOf } from './services.ts';

/** The pages of an isolate. */
export const openPlatform = (core: Core): ReturnType<typeof createPlatform> => createPlatform(servicesOf(core));
