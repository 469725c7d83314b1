import type { Hono } from 'hono';
import { getPathNoStrict } from 'hono/utils/url';
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
import { linkChangePages } from './links/page/changes.tsx';
import { linkFilePages } from './links/import/files.tsx';
import { importPieces } from './links/import/import-pieces.ts';
import { linkPages } from './links/page/link.tsx';
import { linkListPages } from './links/list/list.tsx';
import { newLinkPages } from './links/form/new.tsx';
import { qrPages } from './links/qr/qr.tsx';
import { tryPages } from './links/page/try.tsx';
import { tagPages } from './tags/tags.tsx';
import { overviewPages } from './clicks/overview.tsx';
import { sharePages } from './shared-statistics/share.tsx';
import { sharedPages } from './shared-statistics/shared.tsx';
import { signInPages } from './sign-in/sign-in.tsx';
import { utmTemplatePages } from './utm-templates/templates.tsx';
import { viewPages } from './views/views.tsx';
import type { NavPage } from './nav.ts';
import { createSurface } from './surface.tsx';
import { deliveryPages } from './webhooks/delivery-pages.tsx';
import { webhookPages } from './webhooks/webhooks.tsx';
import { firstStepPages } from './workspace/first-steps.tsx';
import { workspacePages } from './workspace/workspace.tsx';

/** Pages that one surface serves. Within them the order counts where a path could be read as an id. */
type Pages = readonly (() => Hono<PlatformEnv>)[];

/** A page of the navigation, and the pages below its path; without `pages`, another part has them. */
interface NavPart extends NavPage {
  readonly pages?: Pages;
}

const onePage = (path: string, label: string, pages: Pages) => ({ label, pages: [{ path, label, pages }] });

/** The pages of a client that its navigation leads to, in its order. */
const NAVIGATION: readonly { readonly label: string; readonly pages: readonly NavPart[] }[] = [
  onePage('', 'Overview', [overviewPages]),
  onePage('links', 'Links', [
    sharePages,
    linkListPages,
    newLinkPages,
    linkFilePages,
    importPieces,
    viewPages,
    utmTemplatePages,
    // After those whose paths would be read as ids.
    linkPages,
    linkChangePages,
    qrPages,
    tryPages,
  ]),
  onePage('campaigns', 'Campaigns', [campaignPages, campaignPage, sharePages]),
  {
    label: 'Settings',
    pages: [
      { path: 'keys', label: 'API keys', pages: [keyPages] },
      { path: 'domains', label: 'Domains', pages: [domainPages] },
      { path: 'tags', label: 'Tags', pages: [tagPages] },
      { path: 'links/utm-templates', label: 'UTM templates' },
      { path: 'webhooks', label: 'Webhooks', ownersOnly: true, pages: [webhookPages, deliveryPages] },
      // The members by their ids come last, since the paths of invitations would be read as ids.
      { path: 'members', label: 'Members', ownersOnly: true, pages: [invitePages, memberPages] },
      { path: 'audit', label: 'Audit log', ownersOnly: true, pages: [auditPages] },
      { path: 'settings', label: 'Workspace', ownersOnly: true, pages: [workspacePages] },
    ],
  },
];

/** All pages by the first segments of their paths. */
const PARTS = new Map<string, Pages>([
  ['/platform', [homePages]],
  ['/platform/account', [accountPages]],
  ['/platform/invite', [joinPages]],
  ['/platform/reset', [resetPages]],
  ['/platform/shared', [sharedPages]],
  ['/platform/sign-in', [signInPages]],
  ['/platform/sign-out', [signInPages]],
  ['/platform/c/:client/first-steps', [firstStepPages]],
  ['/platform/c/:client/live', [livePages]],
  ['/platform/c/:client/restore', [workspacePages]],
  ...NAVIGATION.flatMap((section) =>
    section.pages.flatMap(({ path, pages }): [string, Pages][] =>
      pages ? [[`/platform/c/:client${path && `/${path}`}`, pages]] : [],
    ),
  ),
]);

interface Platform {
  /** The routes of all pages. A path may be there twice. */
  readonly routes: Hono<PlatformEnv>['routes'];
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> | Response;
}

/**
 * The pages that a customer uses, at `/platform` of the service's own host. Each part is a surface, which its first
 * request creates; a path of no part is not found by one without pages.
 */
export function createPlatform(services: Services): Platform {
  const created = new Map<string, Hono<PlatformEnv>>();
  const create = (part: string) => {
    const surface = createSurface(services, NAVIGATION);
    for (const pagesOf of PARTS.get(part) ?? []) surface.route('/', pagesOf());
    created.set(part, surface);
    return surface;
  };
  return {
    get routes() {
      return [...PARTS.keys()].flatMap((part) => create(part).routes);
    },
    fetch(request, env, ctx) {
      const part = partOf(getPathNoStrict(request));
      return (created.get(part) ?? create(part)).fetch(request, env, ctx);
    },
  };
}

/** The part that has a path, or '' if none has. */
function partOf(path: string): string {
  const [, ...segments] = path.split('/');
  const [platform, first, client, ofClient] = segments;
  const isOfClient = first === 'c' && client !== undefined;
  const begin = isOfClient ? [platform, 'c', ':client', ofClient] : [platform, first];
  const part = begin
    .filter((segment) => segment !== undefined)
    .map((segment) => `/${segment}`)
    .join('');
  return PARTS.has(part) ? part : '';
}
