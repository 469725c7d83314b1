import type { RequestContext } from './env.ts';

/** True if the service sends mails. */
export const isMailOn = (c: RequestContext): boolean => c.var.services.config.mail !== null;
