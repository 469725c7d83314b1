/** The resources of the API that share a module, since first requests of an isolate seldom are for them. */

export { auditApi } from '../api/audit.ts';
export { campaignsApi } from '../api/campaigns.ts';
export { clicksApi } from '../api/clicks.ts';
export { deliveriesApi } from '../api/deliveries.ts';
export { domainsApi } from '../api/domains.ts';
export { encodeApi } from '../api/encode.ts';
export { externalLinksApi } from '../api/external-links.ts';
export { infoApi } from '../api/info.ts';
export { invitesApi } from '../api/invites.ts';
export { keysApi } from '../api/keys.ts';
export { linkApi } from '../api/link.ts';
export { meApi } from '../api/me.ts';
export { membersApi } from '../api/members.ts';
export { qrApi } from '../api/qr.ts';
export { statsApi } from '../api/stats.ts';
export { tagsApi } from '../api/tags.ts';
export { transferApi } from '../api/transfer.ts';
export { webhooksApi } from '../api/webhooks.ts';
export { referenceApi } from '../reference/reference.ts';
