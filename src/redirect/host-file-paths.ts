/** The two files that browsers and crawlers request from every host. */
const FILES = new Set(['/robots.txt', '/favicon.ico']);

export function isHostFile(pathname: string): boolean {
  return FILES.has(pathname);
}

/** The path at which browsers ask a host which other origins may use its passkeys. */
export const RELATED_ORIGINS_PATH = '/.well-known/webauthn';
