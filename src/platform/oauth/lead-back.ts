import type { Context } from 'hono';
import { CONSENT_PATH } from '../../http/paths.ts';
import type { PlatformEnv } from '../env.ts';
import type { ResumedForm } from '../forms/resumed-form.ts';
import { contentSecurityPolicy } from '../page-policy.ts';

/**
 * Lets the form of a page lead back to an application: browsers apply the policy to the redirect after the form too, which
 * can redirect by https.
 *
 * @param redirectUri where a code is sent; null leaves the policy of other pages
 */
export function leadBack(
  c: Pick<Context<PlatformEnv>, 'header'>,
  redirectUri: string | null,
  { hasScripts }: { readonly hasScripts: boolean },
): void {
  const protocol = URL.parse(redirectUri ?? '')?.protocol;
  if (protocol === undefined) return;
  c.header('Content-Security-Policy', contentSecurityPolicy({ formActions: ['https:', protocol], hasScripts }));
}

/** `leadBack` for a page that carries the form of a consent, which is done afterwards; other forms stay here. */
export function leadBackFrom(c: Pick<Context<PlatformEnv>, 'header' | 'var'>, { texts }: ResumedForm): void {
  if (c.var.site.requestUrl.pathname !== CONSENT_PATH) return;
  const request = texts.find(([name]) => name === 'request')?.[1] ?? '';
  leadBack(c, new URLSearchParams(request).get('redirect_uri'), { hasScripts: true });
}
