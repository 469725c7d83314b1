/**
 * The reason for which a provider signed no one in: it does not respond as a provider does; it refuses this service, whose
 * settings are wrong; it refused the person; its response does not hold; or the attempt is over, was used before, or is of
 * another browser.
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

/** A response that comes to a browser in which no attempt is under way. */
export const noAttempt = () => new ProviderError('stale', 'No attempt of this browser is under way.');

/** An attempt of a session that is no longer that of the browser. */
export const ofAnotherSession = () => new ProviderError('stale', 'The attempt is of another session.');

export const turnedOff = () => new ProviderError('denied', 'The provider is turned off.');

export const onlyOwners = () => new ProviderError('denied', 'Only an owner can test the provider.');

/** A first sign-in whose person no longer waits in this browser. */
export const noPerson = () => new ProviderError('stale', 'No person waits in this browser.');
