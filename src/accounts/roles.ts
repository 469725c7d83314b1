export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** The two ways to treat the keys that a removed member has created. */
export const KEYS_OF_REMOVED = ['revoke', 'adopt'] as const;
export type KeysOfRemoved = (typeof KEYS_OF_REMOVED)[number];
