import type english from './platform/en.ts';

/** Sentences of the API that name its fields, as the English pages have them. */
export default {
  afterStart: 'This must be before the expiry.',
  otherScheme: 'This cannot have the scheme {scheme}: use https, or one of {schemes}.',
  slugTaken:
    'The slug {slug} is already in use on this host, possibly with different upper and lower case. Choose another one.',
  slugBelow:
    'The slug {slug} is below a link that forwards its path, which owns all paths below it. Choose another slug.',
  pathInUse: 'The path cannot be forwarded while other links are below {slug}. Give those other slugs first.',
  externalIdTaken:
    'This external ID is already in use by another link, or by a deleted one that can be restored. Choose another one.',
  manyAliases: 'A link can have at most {most} aliases. Remove one first.',
  slugOnOwnHost:
    'This must be 1 to {most} letters, digits, {dash} or {line}; dots, {slash} and emoji need a custom domain.',
  pathNeedsDomain: 'The path can be forwarded only by links on a custom domain.',
  inactiveDomain: '{host} is not one of your active domains. Verify it first, or choose another one.',
  hostOfService: 'This host belongs to this service. Use a domain of your own, such as go.example.com.',
  domainUrls: 'The URLs of the domain must not lead to this service or to a domain that it serves.',
  noLogo: 'No logo is kept. Keep one on the QR page of a link, or choose a code without one.',
} satisfies Partial<Record<keyof (typeof english)['faults'], string>>;
