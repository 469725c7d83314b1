import { ConfigError, readText, type Settings } from './setting-values.ts';

/** The settings of sign-ins by what the operator has chosen. */

/** The workspace and the role of a new person. */
export interface SignInJoins {
  readonly clientId: string;
  readonly role: 'owner' | 'member';
}

export function readSignInJoins(settings: Settings): SignInJoins | null {
  const text = readText(settings, 'SIGN_IN_JOINS');
  if (text === '') return null;
  const [, clientId, role] = /^([A-Za-z0-9._~-]{1,64}):(owner|member)$/.exec(text) ?? [];
  if (clientId === undefined || (role !== 'owner' && role !== 'member')) {
    throw new ConfigError('SIGN_IN_JOINS must be the id of a workspace and a role, such as acme:member.');
  }
  return { clientId, role };
}
