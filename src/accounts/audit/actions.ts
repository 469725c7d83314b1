/** The kinds of what can be changed, and what can be done with each. The documentation takes its table from here. */
export const AUDIT_ACTIONS = {
  key: ['created', 'renamed', 'rolled', 'revoked', 'adopted'],
  application: ['connected', 'disconnected'],
  member: [
    'joined',
    'role_changed',
    'removed',
    'reset_link_made',
    'password_reset',
    'factors_reset',
    'identity_changed',
    'emergency_sign_in',
    'suspended',
    'confirmed',
    'disabled',
    'enabled',
  ],
  invite: ['created', 'revoked'],
  domain: ['added', 'changed', 'verified', 'taken_over', 'lost', 'recovered', 'removed'],
  client: [
    'renamed',
    'deleted',
    'restored',
    'imported',
    'data_restored',
    'checks_on',
    'checks_off',
    'factors_on',
    'factors_off',
    'provider_required',
    'provider_not_required',
    'changed',
  ],
  host: ['blocked', 'unblocked'],
  tag: ['renamed', 'deleted'],
  campaign: ['renamed'],
  provider: [
    'added',
    'changed',
    'turned_on',
    'turned_off',
    'removed',
    'domain_verified',
    'domain_lost',
    'domain_removed',
  ],
  share: ['created', 'changed', 'revoked'],
  webhook: ['created', 'changed', 'rolled', 'deleted', 'disabled'],
} as const;

type AuditKind = keyof typeof AUDIT_ACTIONS;

export const AUDIT_KINDS = Object.keys(AUDIT_ACTIONS) as readonly AuditKind[];

/** An action of the audit log, such as `key.created`. */
export type AuditAction = { [Kind in AuditKind]: `${Kind}.${(typeof AUDIT_ACTIONS)[Kind][number]}` }[AuditKind];
