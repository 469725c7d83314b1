/** A kind of event that webhooks can be sent. */

interface EventKind {
  /** A description of the event, as a sentence for people. */
  readonly description: string;
  /** True if it is about one link or its clicks, so that a webhook's filter by tag or campaign applies. */
  readonly isAboutLink: boolean;
}

/** The types that a webhook can subscribe to, in the order of lists. */
export const EVENT_TYPES = {
  'link.created': { description: 'A link was created.', isAboutLink: true },
  'link.updated': {
    description: 'A link was changed, enabled, disabled or restored. `previous` has the former values of what changed.',
    isAboutLink: true,
  },
  'link.deleted': { description: 'A link was deleted. It can be restored for 30 days.', isAboutLink: true },
  'link.clicked': {
    description: 'Links were clicked: at most 100 clicks in one event, without addresses and user agents.',
    isAboutLink: true,
  },
  'link.limit_reached': { description: 'A link has reached its click limit.', isAboutLink: true },
  'link.expired': { description: 'A link has expired, up to five minutes ago.', isAboutLink: true },
  'link.unhealthy': {
    description: 'A destination of a link has failed two checks, at least a day apart. `unhealthy` says why.',
    isAboutLink: true,
  },
  'link.recovered': { description: 'All destinations of an unhealthy link work again.', isAboutLink: true },
  'links.imported': { description: 'A file of links was imported. `data` has the counts.', isAboutLink: false },
  'domain.verified': { description: 'The DNS records of a custom domain were found.', isAboutLink: false },
  'domain.lost': { description: 'The DNS records of a custom domain are missing.', isAboutLink: false },
  'key.created': { description: 'An API key was created.', isAboutLink: false },
  'key.revoked': {
    description: 'An API key was revoked, or its secret was replaced. `data` says which.',
    isAboutLink: false,
  },
} as const satisfies Readonly<Record<string, EventKind>>;

export type EventType = keyof typeof EVENT_TYPES;

export const EVENT_NAMES = Object.keys(EVENT_TYPES) as readonly EventType[];

/** Sent on demand to one webhook; none subscribes to it. */
export const TEST_EVENT = 'webhook.test';
