/**
 * The content security policy of a page: only styles and scripts from our own files, and no frames around it, in which a
 * user may be signed in.
 *
 * @param formActions where its forms may lead besides this service, as sources of a policy
 */
export const contentSecurityPolicy = ({
  formActions = [],
  hasScripts = true,
}: { readonly formActions?: readonly string[]; readonly hasScripts?: boolean } = {}): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    `script-src ${hasScripts ? "'self'" : "'none'"}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    ['form-action', "'self'", ...new Set(formActions)].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
