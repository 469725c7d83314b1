/** The policy of the public pages: the files that they may load, and the sites that may frame them. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'style-src': "'self'",
  'script-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
};

/** The headers of a public page, with other sources in its Content-Security-Policy. */
export function publicHeaders(sources: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': Object.entries({ ...POLICY, ...sources })
      .map(([name, allowed]) => `${name} ${allowed}`)
      .join('; '),
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
}
