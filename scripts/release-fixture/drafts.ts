/** A link that the journey creates by itself, if the release knows all of its fields. */
interface Draft {
  readonly name: string;
  readonly clientId: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The credential; the API key by default. */
  readonly by?: 'apiToken';
  readonly idempotencyKey?: string;
  /** The operation without which the link would be like others. */
  readonly needs?: string;
}

const EDIT = 'PATCH /v1/links/{id}';
const DELETE = 'DELETE /v1/links/{id}';
const RESTORE = 'POST /v1/links/{id}/restore';

// Later than the create, and not later than the fixture.
const SOON_MS = 20_000;

/** Links of all kinds; what is done to some of them later is in `editLinks`. */
export const drafts = (): readonly Draft[] => [
  {
    name: 'all fields',
    clientId: 'acme',
    fields: {
      url: 'https://example.com/spring?a=1&b=%20#part',
      campaign_name: 'Spring 2026',
      metadata: '{"team":"web","n":1.0}',
      sec_id: 'print',
    },
  },
  { name: 'only a URL', clientId: 'acme', fields: { url: 'https://example.com/' } },
  { name: 'by an API token', clientId: 'acme', fields: { url: 'https://example.com/token' }, by: 'apiToken' },
  {
    name: 'characters of other scripts',
    clientId: 'acme',
    fields: { url: 'https://bücher.example/größe?q=日本', campaign_name: 'Größe & Höhe' },
  },
  {
    name: 'on a custom domain',
    clientId: 'acme',
    fields: { url: 'https://example.com/domain', custom_domain: 'go.acme.example' },
  },
  {
    name: 'of another client, with the same campaign',
    clientId: 'globex',
    fields: { url: 'https://example.org/globex', campaign_name: 'Spring 2026', sec_id: 'print' },
  },
  { name: 'to a host that is blocked later', clientId: 'globex', fields: { url: 'https://blocked.example/page' } },
  { name: 'own slug', clientId: 'acme', fields: { url: 'https://example.com/slug', slug: 'Spring-Sale' } },
  {
    name: 'own slug on a custom domain',
    clientId: 'acme',
    fields: { url: 'https://example.com/domain-slug', slug: 'Spring-Sale', custom_domain: 'go.acme.example' },
  },
  {
    name: 'expires later',
    clientId: 'acme',
    fields: { url: 'https://example.com/later', expires_at: '2099-12-31T23:59:59.000Z' },
  },
  {
    name: 'expired',
    clientId: 'acme',
    fields: {
      url: 'https://example.com/expired',
      campaign_name: 'Spring 2026',
      expires_at: new Date(Date.now() + SOON_MS).toISOString(),
    },
  },
  {
    name: 'title and comments',
    clientId: 'acme',
    fields: { url: 'https://example.com/title', title: 'A title', comments: 'Two\nlines' },
  },
  {
    name: 'edited',
    clientId: 'acme',
    fields: { url: 'https://example.com/edited', campaign_name: 'Spring 2026' },
    needs: EDIT,
  },
  { name: 'disabled', clientId: 'acme', fields: { url: 'https://example.com/disabled' }, needs: EDIT },
  { name: 'deleted', clientId: 'acme', fields: { url: 'https://example.com/deleted', slug: 'former' }, needs: DELETE },
  {
    name: 'deleted and restored',
    clientId: 'acme',
    fields: { url: 'https://example.com/restored' },
    needs: RESTORE,
  },
  {
    name: 'with an Idempotency-Key',
    clientId: 'acme',
    fields: { url: 'https://example.com/repeatable' },
    idempotencyKey: 'fixture-1',
  },
];
