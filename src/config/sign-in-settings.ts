import { ConfigError, readText, type Settings } from './setting-values.ts';

/** The settings of sign-ins by what the operator has chosen. */

/** The application of Cloudflare Access in front of the pages. */
export interface AccessSettings {
  /** The origin of the team, which is also the issuer of its assertions. */
  readonly issuer: string;
  /** The AUD tag of the application. */
  readonly audience: string;
}

/** The workspace and the role of a new person. */
export interface SignInJoins {
  readonly clientId: string;
  readonly role: 'owner' | 'member';
}

export function readAccess(settings: Settings): AccessSettings | null {
  const [team, audience] = [readText(settings, 'ACCESS_TEAM').toLowerCase(), readText(settings, 'ACCESS_AUDIENCE')];
  if (team === '' && audience === '') return null;
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(team)) {
    throw new ConfigError(
      'ACCESS_TEAM must be the name of a Cloudflare One team, such as "acme" of acme.cloudflareaccess.com, and go with ACCESS_AUDIENCE.',
    );
  }
  if (!/^[0-9a-f]{64}$/.test(audience)) {
    throw new ConfigError(
      'ACCESS_AUDIENCE must be the 64 hexadecimal digits of the AUD tag of an application, and go with ACCESS_TEAM.',
    );
  }
  return { issuer: `https://${team}.cloudflareaccess.com`, audience };
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
