import type { Part } from '../http/parts.ts';
import { CONSENT_PATH } from '../http/paths.ts';
import type { PlatformEnv } from './env.ts';

const CLIENT = '/platform/c/:client';
const LINKS = `${CLIENT}/links`;
const LINK = `${LINKS}/:id`;

/** The pages, in the order of their routes: paths with an id come after those that could be read as one. */
export const PARTS: readonly Part<PlatformEnv>[] = [
  { paths: ['/platform'], load: async () => (await import('./further-pages.ts')).homePages() },
  { paths: ['/platform/account/factors/*'], load: async () => (await import('./further-pages.ts')).factorPages() },
  { paths: ['/platform/confirm'], load: async () => (await import('./further-pages.ts')).confirmPages() },
  // Verifying passkeys takes a package that nothing else needs.
  {
    paths: ['/platform/account/passkeys/*', '/platform/sign-in/passkey', '/platform/confirm/passkey'],
    load: async () => (await import('./passkeys/passkey-module.ts')).passkeyPages(),
  },
  { paths: ['/platform/account/*'], load: async () => (await import('./further-pages.ts')).accountPages() },
  { paths: [CONSENT_PATH], load: async () => (await import('./oauth/consent.tsx')).consentPages() },
  { paths: ['/platform/kit'], load: async () => (await import('./further-pages.ts')).kitPages() },
  { paths: ['/platform/invite/:token'], load: async () => (await import('./further-pages.ts')).joinPages() },
  { paths: ['/platform/reset/:token'], load: async () => (await import('./further-pages.ts')).resetPages() },
  { paths: ['/platform/forgot'], load: async () => (await import('./further-pages.ts')).forgotPages() },
  { paths: ['/platform/shared/*'], load: async () => (await import('./further-pages.ts')).sharedPages() },
  {
    paths: ['/platform/sign-in/provider/*', '/platform/sso', '/platform/sso/:client/*'],
    load: async () => (await import('./sso/sso-module.ts')).ssoPages(),
  },
  {
    paths: ['/platform/sign-in', '/platform/sign-out'],
    load: async () => (await import('./sign-in/sign-in.tsx')).signInPages(),
  },
  {
    paths: [`${CLIENT}/first-steps`],
    load: async () => (await import('./further-pages.ts')).firstStepPages(),
  },
  { paths: [`${CLIENT}/live/*`], load: async () => (await import('./further-pages.ts')).livePages() },
  { paths: [CLIENT], load: async () => (await import('./clicks/overview.tsx')).overviewPages() },
  {
    paths: [`${LINK}/share/*`, `${CLIENT}/campaigns/:name/share/*`, `${CLIENT}/share/*`],
    load: async () => (await import('./further-pages.ts')).sharePages(),
  },
  { paths: [LINKS, `${LINKS}/selected`], load: async () => (await import('./links/list/list.tsx')).linkListPages() },
  {
    paths: [`${LINKS}/new`, `${LINKS}/check`],
    load: async () => (await import('./further-pages.ts')).newLinkPages(),
  },
  {
    paths: [
      `${LINKS}/files`,
      `${LINKS}/export.csv`,
      `${LINKS}/export.ndjson`,
      `${LINKS}/import`,
      `${LINKS}/import/run`,
    ],
    load: async () => (await import('./further-pages.ts')).linkFilePages(),
  },
  { paths: [`${LINKS}/codes`], load: async () => (await import('./further-pages.ts')).codePages() },
  {
    paths: [`${LINKS}/import/piece`],
    load: async () => (await import('./further-pages.ts')).importPieces(),
  },
  { paths: [`${LINKS}/views/*`], load: async () => (await import('./further-pages.ts')).viewPages() },
  {
    paths: [`${LINKS}/utm-templates/*`],
    load: async () => (await import('./further-pages.ts')).utmTemplatePages(),
  },
  {
    paths: [LINK, `${LINK}/details`, `${LINK}/history`, `${LINK}/api`],
    load: async () => (await import('./links/page/link.tsx')).linkPages(),
  },
  {
    paths: [
      `${LINK}/edit`,
      `${LINK}/check`,
      `${LINK}/disable`,
      `${LINK}/enable`,
      `${LINK}/restore`,
      `${LINK}/delete`,
      `${LINK}/history/:n/put-back`,
      `${LINK}/aliases/*`,
    ],
    load: async () => (await import('./further-pages.ts')).linkChangePages(),
  },
  {
    paths: [`${LINK}/qr`, `${LINK}/qr/remove-logo`, `${LINK}/print`, `${LINK}/qr.svg`, `${LINK}/qr.png`],
    load: async () => (await import('./further-pages.ts')).qrPages(),
  },
  { paths: [`${LINK}/try`], load: async () => (await import('./further-pages.ts')).tryPages() },
  { paths: [`${CLIENT}/campaigns`], load: async () => (await import('./further-pages.ts')).campaignPages() },
  {
    paths: [`${CLIENT}/campaigns/:name/*`],
    load: async () => (await import('./further-pages.ts')).campaignPage(),
  },
  { paths: [`${CLIENT}/keys/*`], load: async () => (await import('./further-pages.ts')).keyPages() },
  { paths: [`${CLIENT}/domains/*`], load: async () => (await import('./further-pages.ts')).domainPages() },
  { paths: [`${CLIENT}/tags/*`], load: async () => (await import('./further-pages.ts')).tagPages() },
  { paths: [`${CLIENT}/webhooks/*`], load: async () => (await import('./further-pages.ts')).webhookPages() },
  {
    paths: [`${CLIENT}/webhooks/:id/*`],
    load: async () => (await import('./further-pages.ts')).deliveryPages(),
  },
  { paths: [`${CLIENT}/members/*`], load: async () => (await import('./further-pages.ts')).invitePages() },
  { paths: [`${CLIENT}/members/*`], load: async () => (await import('./further-pages.ts')).memberPages() },
  { paths: [`${CLIENT}/audit`], load: async () => (await import('./further-pages.ts')).auditPages() },
  {
    paths: [`${CLIENT}/settings/sign-in/*`],
    load: async () => (await import('./sso/sso-module.ts')).providerPages(),
  },
  {
    paths: [`${CLIENT}/settings/provider/*`],
    load: async () => (await import('./further-pages.ts')).providerDemandPages(),
  },
  {
    paths: [`${CLIENT}/settings/*`, `${CLIENT}/restore`],
    load: async () => (await import('./further-pages.ts')).workspacePages(),
  },
];
