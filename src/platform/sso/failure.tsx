import type { Context } from 'hono';
import { ProviderError, type ProviderFailure } from '../../accounts/providers/provider-error.ts';
import type { PlatformEnv } from '../env.ts';
import { page } from '../page.tsx';
import { Door } from '../sign-in/door.tsx';
import { FailurePage } from './sso-pages.tsx';

const STATUS = {
  unavailable: 503,
  misconfigured: 503,
  denied: 403,
  invalid: 400,
  stale: 400,
} as const satisfies Record<ProviderFailure, number>;

/** The page of a sign-in that a provider has not given; other ways in are open. Throws what is no `ProviderError`. */
export function respondToFailure(c: Context<PlatformEnv>, error: unknown): Response | Promise<Response> {
  if (!(error instanceof ProviderError)) throw error;
  const { failure } = error;
  if (failure === 'unavailable') c.header('Retry-After', '30');
  return page(
    c,
    { title: c.var.words.text(`providers.${failure}`), status: STATUS[failure], narrow: true, beside: <Door /> },
    <FailurePage failure={failure} detail={error.message} />,
  );
}
