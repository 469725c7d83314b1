import type { Hono } from 'hono';
import { auditApi } from '../api/audit.ts';
import { campaignsApi } from '../api/campaigns.ts';
import { deliveriesApi } from '../api/deliveries.ts';
import { clicksApi } from '../api/clicks.ts';
import { domainsApi } from '../api/domains.ts';
import { encodeApi, encodeRetirement } from '../api/encode.ts';
import { externalLinksApi } from '../api/external-links.ts';
import { healthApi } from '../api/health.ts';
import { infoApi } from '../api/info.ts';
import { invitesApi } from '../api/invites.ts';
import { keysApi } from '../api/keys.ts';
import { linkApi } from '../api/link.ts';
import { linksApi } from '../api/links.ts';
import { meApi } from '../api/me.ts';
import { membersApi } from '../api/members.ts';
import { qrApi } from '../api/qr.ts';
import { statsApi } from '../api/stats.ts';
import { tagsApi } from '../api/tags.ts';
import { tokensApi } from '../api/tokens.ts';
import { webhooksApi } from '../api/webhooks.ts';
import { transferApi } from '../api/transfer.ts';
import type { HttpEnv } from '../http/env.ts';
import { createApi } from '../http/surface.ts';
import { referencePages } from '../reference/pages.tsx';
import { referenceApi } from '../reference/reference.ts';
import type { Core } from '../http/env.ts';
import { servicesOf } from './services.ts';

/** The API of an isolate, and the pages about it. */
export function openApi(core: Core): Hono<HttpEnv> {
  const services = servicesOf(core);
  const api = createApi(services, [encodeRetirement(services.config.encode)]);
  for (const resource of [
    tokensApi(),
    linksApi(),
    // Before the links by their ids, since its paths would be read as ids.
    transferApi(),
    linkApi(),
    externalLinksApi(),
    qrApi(),
    campaignsApi(),
    encodeApi(services.config.encode),
    infoApi(),
    statsApi(),
    clicksApi(),
    keysApi(),
    meApi(),
    membersApi(),
    invitesApi(),
    auditApi(),
    tagsApi(),
    webhooksApi(),
    deliveriesApi(),
    domainsApi(),
    healthApi(),
    referenceApi(),
    referencePages(),
  ])
    api.route('/', resource);
  return api;
}
