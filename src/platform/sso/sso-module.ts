/** The sign-in at providers, in a module that only its requests load, since it verifies their tokens. */

export { providerPages } from './settings.tsx';
export { ssoPages } from './sso.tsx';
