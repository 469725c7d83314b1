/** The types of events that a webhook can subscribe to, in the order of lists. */
export const EVENT_NAMES = [
  'link.created',
  'link.updated',
  'link.deleted',
  'link.clicked',
  'link.limit_reached',
  'link.expired',
  'link.unhealthy',
  'link.recovered',
  'links.imported',
  'domain.verified',
  'domain.lost',
  'key.created',
  'key.revoked',
] as const;

export type EventType = (typeof EVENT_NAMES)[number];

/** Sent on demand to one webhook; none subscribes to it. */
export const TEST_EVENT = 'webhook.test';
