import type { AuditAction } from '../../accounts/audit/actions.ts';
import { isolated } from '../bidi.ts';
import type { PageWords } from '../words.tsx';

/** The sentences of the audit log by their actions. */

/** The parts of a sentence about a change. */
export interface Change {
  /** The user who made it. */
  readonly who: string;
  /** The thing that was changed. */
  readonly what: string;
  /** `yes` if the thing is a user who has deleted their account. */
  readonly former: 'yes' | 'no';
  readonly details: Readonly<Record<string, unknown>>;
  /** Writes an instant for the reader. */
  readonly timeOf: (at: number) => string;
}

type Sentence = (words: PageWords, change: Change) => string;

const stringOf = (value: unknown) => (typeof value === 'string' ? isolated(value) : '');
const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0);
const roleIn = ({ role }: Change['details']) => (role === 'owner' ? 'owner' : 'member');

/** The actions whose sentence needs no details, and its key. */
const PLAIN = {
  'application.disconnected': 'audit.applicationDisconnected',
  'key.rolled': 'audit.keyRolled',
  'member.removed': 'audit.memberRemoved',
  'member.reset_link_made': 'audit.memberResetLink',
  'member.password_reset': 'audit.memberPasswordReset',
  'member.factors_reset': 'audit.memberFactorsReset',
  'member.identity_changed': 'audit.memberIdentityChanged',
  'member.disabled': 'audit.memberDisabled',
  'member.enabled': 'audit.memberEnabled',
  'domain.added': 'audit.domainAdded',
  'domain.verified': 'audit.domainVerified',
  'domain.taken_over': 'audit.domainTakenOver',
  'domain.lost': 'audit.domainLost',
  'domain.recovered': 'audit.domainRecovered',
  'client.deleted': 'audit.workspaceDeleted',
  'client.restored': 'audit.workspaceRestored',
  'client.imported': 'audit.imported',
  'client.data_restored': 'audit.dataRestored',
  'client.checks_on': 'audit.checksOn',
  'client.checks_off': 'audit.checksOff',
  'client.factors_on': 'audit.factorsDemanded',
  'client.factors_off': 'audit.factorsNotDemanded',
  'client.provider_not_required': 'audit.providerNotRequired',
  'member.emergency_sign_in': 'audit.emergencySignIn',
  'host.blocked': 'audit.hostBlocked',
  'host.unblocked': 'audit.hostUnblocked',
  'tag.deleted': 'audit.tagDeleted',
  'provider.added': 'audit.providerAdded',
  'provider.changed': 'audit.providerChanged',
  'provider.turned_on': 'audit.providerOn',
  'provider.turned_off': 'audit.providerOff',
  'provider.removed': 'audit.providerRemoved',
  'provider.domain_verified': 'audit.mailDomainVerified',
  'provider.domain_lost': 'audit.mailDomainLost',
  'provider.domain_removed': 'audit.mailDomainRemoved',
  'webhook.rolled': 'audit.webhookRolled',
  'webhook.deleted': 'audit.webhookDeleted',
} as const satisfies Partial<Record<AuditAction, string>>;

const RENAMED = {
  'key.renamed': 'audit.keyRenamed',
  'client.renamed': 'audit.workspaceRenamed',
  'tag.renamed': 'audit.tagRenamed',
  'campaign.renamed': 'audit.campaignRenamed',
} as const satisfies Partial<Record<AuditAction, string>>;

const LOGO = {
  domain: { kept: 'audit.domainLogoKept', changed: 'audit.domainLogoChanged', removed: 'audit.domainLogoRemoved' },
  client: { kept: 'audit.logoKept', changed: 'audit.logoChanged', removed: 'audit.logoRemoved' },
} as const;

const ofLogo = ({ text }: PageWords, of: keyof typeof LOGO, done: unknown, { who, what }: Change) =>
  text(LOGO[of][done === 'kept' || done === 'removed' ? done : 'changed'], { who, what });

const ofUnconfirmed = ({ text }: PageWords, days: unknown, { who }: Change) =>
  typeof days === 'number' ? text('audit.unconfirmedDays', { who, days }) : text('audit.unconfirmedNever', { who });

const ofShare =
  (key: 'audit.shareCreated' | 'audit.shareChanged' | 'audit.shareRevoked'): Sentence =>
  ({ text }, { who, what, details: { of } }) =>
    text(key, { who, what, of: of === 'client' ? 'workspace' : stringOf(of) });

type WithDetails = Exclude<AuditAction, keyof typeof PLAIN | keyof typeof RENAMED>;

const WITH_DETAILS: Readonly<Record<WithDetails, Sentence>> = {
  'application.connected': ({ text }, { who, what, details: { scopes } }) =>
    text('audit.applicationConnected', { who, what, scopes: Array.isArray(scopes) ? scopes.join(', ') : '' }),
  'key.created': ({ text }, { who, what, details: { scopes, expires_at: end }, timeOf }) => {
    const may = Array.isArray(scopes) ? scopes.join(', ') : null;
    if (typeof end !== 'string')
      return may === null
        ? text('audit.keyCreated', { who, what })
        : text('audit.keyCreatedWith', { who, what, scopes: may });
    const time = timeOf(Date.parse(end));
    return may === null
      ? text('audit.keyCreatedUntil', { who, what, time })
      : text('audit.keyCreatedWithUntil', { who, what, scopes: may, time });
  },
  'key.revoked': ({ text }, { who, what, details: { former_holder: holder } }) =>
    typeof holder === 'string'
      ? text('audit.keyRevokedOf', { who, what, holder: isolated(holder) })
      : text('audit.keyRevoked', { who, what }),
  'key.adopted': ({ text }, { who, what, details }) => {
    const holder = stringOf(details['former_holder']);
    return holder === ''
      ? text('audit.keyAdopted', { who, what })
      : text('audit.keyAdoptedFrom', { who, what, holder });
  },
  'member.joined': ({ text }, { who, details }) => text('audit.memberJoined', { who, role: roleIn(details) }),
  'member.role_changed': ({ text }, { who, what, former, details }) =>
    text(roleIn(details) === 'owner' ? 'audit.memberMadeOwner' : 'audit.memberMadeMember', { who, what, former }),
  'member.suspended': ({ text }, { who, what, details }) =>
    text(details['reason'] === 'refused' ? 'audit.memberRefused' : 'audit.memberUnconfirmed', {
      who,
      what,
      provider: stringOf(details['provider']),
    }),
  'member.confirmed': ({ text }, { who, what, details }) => {
    const provider = stringOf(details['provider']);
    return provider === ''
      ? text('audit.memberLifted', { who, what })
      : text('audit.memberConfirmed', { who, what, provider });
  },
  'client.provider_required': ({ text }, { who, details }) =>
    text('audit.providerRequired', {
      who,
      provider: stringOf(details['provider']),
      owner: stringOf(details['emergency_owner']),
    }),
  'invite.created': ({ text }, { who, details }) => text('audit.inviteCreated', { who, role: roleIn(details) }),
  'invite.revoked': ({ text }, { who, details }) => text('audit.inviteRevoked', { who, role: roleIn(details) }),
  'domain.changed': (words, change) =>
    change.details['logo'] === undefined
      ? ofDomain(words, change)
      : ofLogo(words, 'domain', change.details['logo'], change),
  'domain.removed': ({ text }, { who, what, details }) =>
    text(details['links_deleted'] === true ? 'audit.domainRemovedWithLinks' : 'audit.domainRemoved', { who, what }),
  'client.changed': (words, change) => {
    const { logo, slug_length: length, unconfirmed_days: days } = change.details;
    if (days !== undefined) return ofUnconfirmed(words, days, change);
    if (logo !== undefined) return ofLogo(words, 'client', logo, change);
    return words.text('audit.slugLength', { who: change.who, length: numberOf(length) });
  },
  'share.created': ofShare('audit.shareCreated'),
  'share.changed': ofShare('audit.shareChanged'),
  'share.revoked': ofShare('audit.shareRevoked'),
  'webhook.created': ({ text }, { who, what, details: { events } }) =>
    Array.isArray(events)
      ? text('audit.webhookCreatedFor', { who, what, events: events.join(', ') })
      : text('audit.webhookCreated', { who, what }),
  'webhook.changed': (words, change) => ofWebhook(words, change),
  'webhook.disabled': ({ text }, { who, what, details: { by } }) =>
    text(by === 'gone' ? 'audit.webhookGone' : 'audit.webhookFailed', { who, what }),
};

/** The texts of each setting of a domain: a sentence, and a part of one that names several. */
const OF_DOMAIN = {
  caseSensitive: ['audit.domainCaseSensitive', 'audit.severalCaseSensitive'],
  caseInsensitive: ['audit.domainCaseInsensitive', 'audit.severalCaseInsensitive'],
  tolerant: ['audit.domainTolerant', 'audit.severalTolerant'],
  strict: ['audit.domainStrict', 'audit.severalStrict'],
  length: ['audit.domainLength', 'audit.severalLength'],
  appLinks: ['audit.domainAppLinks', 'audit.severalAppLinks'],
} as const;

function ofDomain({ text }: PageWords, { who, what, details }: Change): string {
  const { case_sensitive: isSensitive, tolerant, slug_length: slugLength, app_links: appLinks } = details;
  const changed = [
    isSensitive !== undefined && OF_DOMAIN[isSensitive === true ? 'caseSensitive' : 'caseInsensitive'],
    tolerant !== undefined && OF_DOMAIN[tolerant === true ? 'tolerant' : 'strict'],
    slugLength !== undefined && OF_DOMAIN.length,
    appLinks !== undefined && OF_DOMAIN.appLinks,
  ].filter((each) => each !== false);
  const length = numberOf(slugLength);
  const [first, ...others] = changed;
  if (first === undefined) return text('audit.domainUrls', { who, what });
  if (others.length === 0) return text(first[0], { who, what, length });
  const changes = changed
    .map(([, part]) => (part === 'audit.severalAppLinks' ? text(part) : text(part, { what, length })))
    .reduce((before, last) => text('audit.severalAnd', { changes: before, last }));
  return text('audit.domainSeveral', { who, changes });
}

const FIELDS = new Map<unknown, 'Url' | 'Description' | 'Events' | 'Tag' | 'Campaign'>([
  ['url', 'Url'],
  ['description', 'Description'],
  ['events', 'Events'],
  ['tag', 'Tag'],
  ['campaign_name', 'Campaign'],
]);

function ofWebhook({ text, list }: PageWords, { who, what, details: { changed, disabled } }: Change): string {
  const fields = Array.isArray(changed) ? changed.filter((field) => field !== 'disabled') : [];
  const isTurned = Array.isArray(changed) && changed.length > fields.length;
  if (isTurned && fields.length === 0)
    return text(disabled === true ? 'audit.webhookDisabled' : 'audit.webhookEnabled', { who, what });
  const names = fields.map((field) => {
    const name = FIELDS.get(field);
    return name === undefined ? String(field) : text(`audit.webhook${name}`);
  });
  const said = { who, what, fields: list(names) };
  if (!isTurned) return text('audit.webhookChanged', said);
  return text(disabled === true ? 'audit.webhookChangedAndDisabled' : 'audit.webhookChangedAndEnabled', said);
}

/** The sentences for what the operator does, which differ from those for users under the same name. */
const BY_OPERATOR: Readonly<Record<string, Sentence>> = {
  'member.joined': ({ text }, { who, what, former, details }) =>
    text('audit.memberAdded', { who, what, former, role: roleIn(details) }),
  'member.password_reset': ({ text }, { who, what, former }) => text('audit.memberPasswordSet', { who, what, former }),
};

const has = <Table extends object>(table: Table, action: PropertyKey): action is keyof Table =>
  Object.hasOwn(table, action);

/** The sentence of a change; null if this version of the service does not know the action. */
export function sentenceFor(words: PageWords, action: string, change: Change, isOperator: boolean): string | null {
  const { who, what, former, details } = change;
  if (isOperator && has(BY_OPERATOR, action)) return BY_OPERATOR[action]!(words, change);
  if (has(PLAIN, action)) return words.text(PLAIN[action], { who, what, former });
  if (has(RENAMED, action)) return words.text(RENAMED[action], { who, what, former: stringOf(details['former_name']) });
  return has(WITH_DETAILS, action) ? WITH_DETAILS[action](words, change) : null;
}
