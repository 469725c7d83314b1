/** The type of the tokens of OAuth, which is theirs alone: no other use accepts it. */
export const OAUTH_TYPE = 'oauth+jwt';

// The header begins with the type, and three bytes are four characters.
const BEGINNING = btoa(`{"typ":"${OAUTH_TYPE}"`);

/** True if a text looks like a token of OAuth, whether it is one or not. */
export const looksLikeOAuthToken = (text: string): boolean => text.startsWith(BEGINNING);
