/**
 * Why a provider signed no one in: it does not respond as a provider does; it refuses this service, whose settings are
 * wrong; it refused the person; its response does not hold; or the attempt is over, was used before, or is of another browser.
 */
export type ProviderFailure = 'unavailable' | 'misconfigured' | 'denied' | 'invalid' | 'stale';

/** A sign-in that a provider has not given. The message is for the owner who tries it, and in logs. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
