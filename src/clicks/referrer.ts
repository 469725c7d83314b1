/** Scheme and host of a `Referer` header, as they were written; '' if it names none. The rest of a referrer is private. */
export function siteOf(referrer: string | null): string {
  return (referrer !== null && /^https?:\/\/[^/?#\\]{1,400}(?=[/?#\\]|$)/i.exec(referrer)?.[0]) || '';
}
