/** The pages and the sign-in of passkeys, in a module that only their requests load, since it verifies signatures. */

export { passkeyPages } from './passkeys.tsx';
export { confirmByPasskey } from './confirm-by-passkey.ts';
export { signInByPasskey } from './sign-in-by-passkey.ts';
