/** A family of tokens ends this long after its sign-in, even if it was refreshed. */
export const FAMILY_LIFETIME_SECONDS = 30 * 24 * 3600;

/** Who was not confirmed by a provider is warned for this long before the suspension, in milliseconds. */
export const WARNING_MS = 7 * 24 * 3600 * 1000;

/** The longest duration of a session, in seconds. */
export const SESSION_SECONDS = FAMILY_LIFETIME_SECONDS;

/** A session ends after this time without a use, in milliseconds. */
export const IDLE_MS = 12 * 3600 * 1000;

/** A session that a provider has opened ends after this time, so that it says again who belongs to the company. */
export const PROVIDER_SESSION_MS = 8 * 3600 * 1000;

/** For how many seconds a browser is known in which a user with a second factor has signed in. */
export const KNOWN_SECONDS = 365 * 24 * 3600;
