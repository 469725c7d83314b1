import { isLoopback } from '../network/hosts.ts';
import type { RichTarget } from '../links/redirect/decide.ts';
import type { Visit } from './visit.ts';

// A browser sends one for each path; to verify one costs nearly a tenth of a millisecond.
const MAX_COOKIES = 20;

/** True if the visitor has entered the present password. HEAD gets the headers of the form. */
export function isUnlocked({ request, cookies }: Visit, { linkId }: RichTarget, passwordAt: number): boolean {
  const header = request.headers.get('Cookie');
  if (header === null || request.method === 'HEAD') return false;
  const prefix = `${cookieName(linkId, request)}=`;
  const now = Date.now();
  // An alias may have another cookie of the same name.
  const values = header.split('; ').flatMap((each) => (each.startsWith(prefix) ? [each.slice(prefix.length)] : []));
  return values.slice(0, MAX_COOKIES).some((value) => cookies.isValid(value, { linkId, passwordAt }, now));
}

// Some browsers drop `Secure` cookies on plain http even for loopback.
export const cookieName = (linkId: string, request: Request) =>
  `${isPlainLoopback(request) ? '' : '__Secure-'}terse-${linkId}`;

export function isPlainLoopback({ url }: Request): boolean {
  return url.startsWith('http:') && isLoopback(new URL(url));
}
