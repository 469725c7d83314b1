/** The schemes of URLs beside http and https to which a visitor can be sent, in lower case, without their colons. */
export type Schemes = ReadonlySet<string>;

export const NO_SCHEMES: Schemes = new Set<string>([]);

// They run something, read what is on the machine, carry another URL, or belong to the browser or the system itself.
const NEVER: ReadonlySet<string> = new Set(
  `about afp android-app app app-prefs blob brave chrome content data devtools feed file filesystem hcp help intent
  itms-services its jar javascript jnlp jnlps livescript local mhtml mk mocha opera prefs res resource search search-ms
  shell shortcuts smb touch-http touch-https vbscript view-source vivaldi wtai wyciwyg`.split(/\s+/),
);
const NEVER_BEGINNING =
  /^(?:ms-|x-apple|x-safari-|chrome-|moz-|safari-|edge|vnd\.ms|googlechrome|microsoft-edge|firefox|opera-)/;

/** True if a scheme, in lower case, must never be that of a destination. */
export const isForbiddenScheme = (scheme: string): boolean => NEVER.has(scheme) || NEVER_BEGINNING.test(scheme);

/** Matches the `protocol` of a URL of the web, which has a host. */
export const WEB_PROTOCOL = /^https?:$/;

/** True for a URL of the web. */
export const isOfWeb = ({ protocol }: URL): boolean => WEB_PROTOCOL.test(protocol);
