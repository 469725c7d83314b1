import type { Hono } from 'hono';
import type { Services } from '../http/env.ts';
import { accountPages } from './account/account.tsx';
import { auditPages } from './audit/audit.tsx';
import { campaignPage } from './campaigns/campaign.tsx';
import { campaignPages } from './campaigns/campaigns.tsx';
import { domainPages } from './domains/domains.tsx';
import type { PlatformEnv } from './env.ts';
import { homePages } from './home.tsx';
import { invitePages } from './members/invites.tsx';
import { joinPages } from './sign-in/join.tsx';
import { keyPages } from './keys/keys.tsx';
import { memberPages } from './members/members.tsx';
import { resetPages } from './sign-in/reset.tsx';
import { livePages } from './live/live.tsx';
import { linkChangePages } from './links/changes.tsx';
import { linkFilePages } from './links/files.tsx';
import { importPieces } from './links/import-pieces.ts';
import { linkPages } from './links/link.tsx';
import { linkListPages } from './links/list.tsx';
import { newLinkPages } from './links/new.tsx';
import { qrPages } from './links/qr.tsx';
import { tryPages } from './links/try.tsx';
import { tagPages } from './tags/tags.tsx';
import { overviewPages } from './clicks/overview.tsx';
import { sharePages } from './shared-statistics/share.tsx';
import { sharedPages } from './shared-statistics/shared.tsx';
import { signInPages } from './sign-in/sign-in.tsx';
import { utmTemplatePages } from './utm-templates/templates.tsx';
import { viewPages } from './views/views.tsx';
import { createSurface } from './surface.tsx';
import { deliveryPages } from './webhooks/delivery-pages.tsx';
import { webhookPages } from './webhooks/webhooks.tsx';
import { firstStepPages } from './workspace/first-steps.tsx';
import { workspacePages } from './workspace/workspace.tsx';

/** The pages that a customer uses, at `/platform` of the service's own host. */
export function createPlatform(services: Services): Hono<PlatformEnv> {
  const platform = createSurface(services);
  for (const pages of [
    signInPages(),
    homePages(),
    accountPages(),
    keyPages(),
    domainPages(),
    // Before the members by their ids, since its paths would be read as ids.
    invitePages(),
    memberPages(),
    webhookPages(),
    deliveryPages(),
    auditPages(),
    workspacePages(),
    firstStepPages(),
    joinPages(),
    resetPages(),
    overviewPages(),
    livePages(),
    campaignPages(),
    campaignPage(),
    tagPages(),
    sharePages(),
    sharedPages(),
    linkListPages(),
    newLinkPages(),
    linkFilePages(),
    importPieces(),
    viewPages(),
    utmTemplatePages(),
    // Last of the links, since the paths above would be read as ids.
    linkPages(),
    linkChangePages(),
    qrPages(),
    tryPages(),
  ])
    platform.route('/', pages);
  return platform;
}
