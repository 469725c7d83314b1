/** Scheme and host of a `Referer` header, as they were written; '' if it names none. The rest of a referrer is private. */
export function siteOf(referrer: string): string {
  return /^https?:\/\/[^/?#\\]{1,400}(?=[/?#\\]|$)/i.exec(referrer)?.[0] ?? '';
}
