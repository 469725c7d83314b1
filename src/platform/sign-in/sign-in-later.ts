import { Later } from '../../isolate/later.ts';

/** The parts of signing in that the form to sign in does not need. */

/** Signing in and out. */
export const signingIn = new Later(() => import('./sign-in-by.ts'));

/** Most accounts have no second factor. */
export const secondStep = new Later(() => import('./second-step.ts'));

export const passkeys = new Later(() => import('../passkeys/passkey-module.ts'));

/** Few installations have Cloudflare Access. */
export const access = new Later(() => import('../further-pages.ts'));
