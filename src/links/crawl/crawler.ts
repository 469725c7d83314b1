import { readStart } from '../../bounds/read-start.ts';
import { MAX_ROBOTS_BYTES, readRobots, type RobotRules } from '../../network/robots.ts';

/** The manners that all requests to destinations have. */

const CRAWLER = 'tersebot';
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The most redirects that are followed. */
export const MAX_REDIRECTS = 5;

/** @param about the page that says what the crawler is, if there is one */
export const userAgentOf = (about: URL | null): string =>
  `Mozilla/5.0 (compatible; TerseBot/1${about === null ? '' : `; +${about.href}`})`;

/** The text of the `Location` to which a response redirects; null if it does not redirect. */
export const locationOf = ({ status, headers }: Response): string | null =>
  REDIRECTS.has(status) ? headers.get('Location') : null;

/** The URL of a `Location` (RFC 9110, section 10.2.2); null if it is none of the web, such as that of an app. */
export function webUrlAt(location: string, { href }: URL): URL | null {
  const url = URL.parse(location, href);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/**
 * Reads the rules of a host for this crawler. A host without a robots.txt has none, and neither has one that does not
 * give it: a request for one page is no crawl, and an outage of the host would never be found. Throws what `request`
 * throws.
 *
 * @param request requests a URL, whose redirect it does not follow; null if it may not, or if there is no response
 */
export async function rulesOf({ origin }: URL, request: (url: URL) => Promise<Response | null>): Promise<RobotRules> {
  let url: URL | null = new URL('/robots.txt', origin);
  for (let redirects = 0; url !== null && redirects <= MAX_REDIRECTS; redirects++) {
    const response = await request(url);
    if (response === null) break;
    if (response.status === 200) return readRobots((await readStart(response, MAX_ROBOTS_BYTES)).toString(), CRAWLER);
    await response.body?.cancel();
    const location = locationOf(response);
    url = location === null ? null : webUrlAt(location, url);
  }
  return ALLOW_ALL;
}

const ALLOW_ALL: RobotRules = () => true;
