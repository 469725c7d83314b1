/** The permissions of callers. The first three can be given to an API key; the others are for people only. */

export const KEY_SCOPES = ['links:read', 'links:write', 'stats:read'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

const SCOPE_WORDS: ReadonlySet<string> = new Set(KEY_SCOPES);
export const isKeyScope = (word: string): word is KeyScope => SCOPE_WORDS.has(word);

/** `keys` means all keys of the client for an owner, and their own keys for a member. */
export type Permission = KeyScope | 'keys' | 'domains:read' | 'domains:write' | 'members' | 'webhooks' | 'audit';

const OF_A_MEMBER: readonly Permission[] = [...KEY_SCOPES, 'keys', 'domains:read'];
const OF_AN_OWNER: readonly Permission[] = [...OF_A_MEMBER, 'domains:write', 'members', 'webhooks', 'audit'];

const PERMISSIONS: ReadonlySet<string> = new Set(OF_AN_OWNER);
const isPermission = (word: string): word is Permission => PERMISSIONS.has(word);

/** Reads a list in the form of the database. */
export const toPermissions = (list: string): Permission[] => list.split(' ').filter(isPermission);

/** All permissions. */
export const ALL_PERMISSIONS = OF_AN_OWNER;

/** A list in the form of the database: separated by spaces. */
export const toList = (permissions: readonly Permission[]): string => permissions.join(' ');

export const KEY_SCOPE_LIST = toList(KEY_SCOPES);
export const MEMBER_LIST = toList(OF_A_MEMBER);
export const OWNER_LIST = toList(OF_AN_OWNER);
