/** The two files that browsers and crawlers request from every host. */
const FILES = new Set(['/robots.txt', '/favicon.ico']);

export function isHostFile(pathname: string): boolean {
  return FILES.has(pathname);
}
