/** The path of the list of passkeys. */
export const PASSKEYS = '/platform/account/passkeys';
