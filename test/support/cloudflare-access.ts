import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { vi } from 'vitest';

/** A team of Cloudflare Access, as its documentation describes it: keys at a URL, and assertions signed by one of them. */

const AUDIENCE = 'a'.repeat(64);
export const ACCESS_SETTINGS = { ACCESS_TEAM: 'acme', ACCESS_AUDIENCE: AUDIENCE };
const ISSUER = 'https://acme.cloudflareaccess.com';
export const LOGOUT = '/cdn-cgi/access/logout';

interface TeamKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function newKey(kid: string): Promise<TeamKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

/** Opens a team. Its keys are what `fetch` gives for their URL, and other requests of the test fail. */
export async function openTeam() {
  let keys = [await newKey('first')];
  let respond: () => Response | Promise<Response> = () => Response.json({ keys: keys.map(({ jwk }) => jwk) });
  let reads = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { url } = new Request(input);
    if (url !== `${ISSUER}/cdn-cgi/access/certs`) throw new TypeError(`no such host: ${url}`);
    reads++;
    return respond();
  });
  return {
    reads: () => reads,
    /** The present key is the former one, and a new one signs. */
    async rotate() {
      keys = [await newKey('second'), ...keys];
    },
    fail(response: () => Response | Promise<Response>) {
      respond = response;
    },
    /** An assertion of a user; `claims` replaces claims, and one that is undefined is left out. */
    async assert(
      claims: Readonly<Record<string, unknown>> = {},
      { alg = 'RS256', key = keys[0]! }: { readonly alg?: string; readonly key?: TeamKey } = {},
    ): Promise<string> {
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        aud: [AUDIENCE],
        email: 'ann@acme.example',
        exp: now + 3600,
        iat: now,
        nbf: now,
        iss: ISSUER,
        type: 'app',
        identity_nonce: '6ei69kawdKzMIAPF',
        sub: '7335d417-61da-459d-899c-0a01c76a2f94',
        country: 'US',
        ...claims,
      };
      return new SignJWT(Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)))
        .setProtectedHeader({ alg, kid: key.kid, typ: 'JWT' })
        .sign(key.privateKey);
    },
    strangersKey: () => newKey(keys[0]!.kid),
  };
}
