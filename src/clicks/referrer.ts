/** `siteOf` of a page, or of an Android app, which a `Referer` names by its package: `android-app://com.example.app/`. */
export function originOf(referrer: string): string {
  return /^android-app:\/\/[^/?#\\]{1,400}(?=[/?#\\]|$)/i.exec(referrer)?.[0] ?? siteOf(referrer);
}

/** Scheme and host of a `Referer` header, as they were written; '' if it names none. The rest of a referrer is private. */
export function siteOf(referrer: string): string {
  return /^https?:\/\/[^/?#\\]{1,400}(?=[/?#\\]|$)/i.exec(referrer)?.[0] ?? '';
}
