/**
 * The instant until which a server asks to wait by `Retry-After` (RFC 9110, section 10.2.3), in milliseconds since the
 * epoch; null if it does not ask, or for an instant in the past.
 */
export function retryAfterOf({ headers }: Response, now: number): number | null {
  const text = headers.get('Retry-After')?.trim() ?? '';
  const until = /^\d{1,9}$/.test(text) ? now + Number(text) * 1000 : Date.parse(text);
  return until > now ? until : null;
}
