import { createSecureContext, type SecureContext } from 'node:tls';
import { generate } from 'selfsigned';

/** A certificate authority for one run of the stub. */
export interface Authority {
  /** Its certificate, as PEM, for `NODE_EXTRA_CA_CERTS`. */
  readonly certificate: string;
  /** A certificate for a host, with its key. */
  contextFor(host: string): Promise<SecureContext>;
}

const KEY = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

export async function createAuthority(): Promise<Authority> {
  const authority = await generate([{ name: 'commonName', value: 'The stub of Cloudflare' }], {
    ...KEY,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const contexts = new Map<string, Promise<SecureContext>>();

  async function create(host: string): Promise<SecureContext> {
    const issued = await generate([{ name: 'commonName', value: host }], {
      ...KEY,
      ca: { key: authority.private, cert: authority.cert },
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
    });
    return createSecureContext({ key: issued.private, cert: issued.cert });
  }

  return {
    certificate: authority.cert,
    contextFor(host) {
      const context = contexts.get(host) ?? create(host);
      contexts.set(host, context);
      return context;
    },
  };
}
