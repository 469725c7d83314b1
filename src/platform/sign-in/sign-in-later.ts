import { Later } from '../../isolate/later.ts';

/** Signing in and out, which the form to sign in does not need. */
export const signingIn = new Later(() => import('./sign-in-by.ts'));
