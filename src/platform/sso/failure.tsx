import type { Context } from 'hono';
import type { Attempt } from '../../accounts/providers/attempts.ts';
import { ProviderError, type ProviderFailure } from '../../accounts/providers/provider-error.ts';
import type { PlatformEnv } from '../env.ts';
import { page } from '../page.tsx';
import { Door } from '../sign-in/door.tsx';
import { FailedTestPage, FailurePage } from './sso-pages.tsx';

const STATUS = {
  unavailable: 503,
  misconfigured: 503,
  denied: 403,
  invalid: 400,
  stale: 400,
} as const satisfies Record<ProviderFailure, number>;

/**
 * The page of a sign-in that a provider has not given; it can begin again, and other ways in are open. Throws what is no
 * `ProviderError`.
 *
 * @param asked what the browser was sent to the provider for; null if that is not known
 */
export function respondToFailure(
  c: Context<PlatformEnv>,
  error: unknown,
  asked: Pick<Attempt, 'purpose' | 'next'> | null,
): Response | Promise<Response> {
  if (!(error instanceof ProviderError)) throw error;
  const { failure } = error;
  if (failure === 'unavailable') c.header('Retry-After', '30');
  return page(
    c,
    { title: c.var.words.text(`providers.${failure}`), status: STATUS[failure], narrow: true, beside: <Door /> },
    asked?.purpose === 'test' ? (
      <FailedTestPage settings={asked.next} {...{ failure }} detail={error.message} />
    ) : (
      <FailurePage again={beginningOf(c, asked)} {...{ failure }} detail={error.message} />
    ),
  );
}

/** The page on which a sign-in begins that has failed, whatever path of it the browser has come to. */
function beginningOf(c: Context<PlatformEnv>, asked: Pick<Attempt, 'purpose' | 'next'> | null): string {
  const path = c.req.path.replace(/\/(?:callback|join|bind)$/, '');
  const query = new URLSearchParams({
    ...(asked?.purpose === 'confirm' && { purpose: 'confirm' }),
    ...(asked && { next: asked.next }),
  });
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
