/** The path at which a sign-in with the provider of a client begins. */
export const providerSignInPath = ({ id }: { readonly id: string }): string =>
  `/platform/sso/${encodeURIComponent(id)}`;
