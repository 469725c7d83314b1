import type { RequestListener } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { REAL_APPLICATIONS, REAL_SECRET } from './provider-settings.ts';

interface Service {
  /** The origin of the service that its people come back to. */
  readonly origin: string;
  readonly applications: readonly { readonly application: string; readonly workspace: string }[];
}

/** A provider of OpenID Connect as others run it, in which every name signs in. */
export async function openRealProvider(
  issuer: string,
  { origin, applications }: Service = { origin: 'https://terse.test', applications: REAL_APPLICATIONS },
): Promise<RequestListener> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: applications.map(({ application, workspace }) => ({
      client_id: application,
      client_secret: REAL_SECRET,
      redirect_uris: [`${origin}/platform/sso/${workspace}/callback`],
    })),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'real' }] },
    cookies: { keys: ['a key of tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: `${id} of the real provider`,
        email: `${id}@example.com`,
        email_verified: true,
        groups: id === 'ann' ? ['links-admins'] : [],
      }),
    }),
  });
  return provider.callback();
}
