/** Signing and verifying tokens, in a module that is loaded by the first of them. */

export { openAccessVerifier } from '../tokens/access-assertion.ts';
export { verifyToken } from '../tokens/jwt.ts';
export { verifyOAuthToken } from '../tokens/oauth-token.ts';
export { openKeyRing } from '../tokens/keys.ts';
export { openOperatorVerifier } from '../tokens/operator.ts';
