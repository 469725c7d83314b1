import type { KnownLink } from './known.ts';
import type { Headers, Send } from './send.ts';
import type { SignedIn } from './people.ts';

/** The API key of each client, as a header. */
type Keys = Readonly<Record<string, Headers>>;

interface Created {
  /** The special feature of the link. */
  readonly name: string;
  readonly id: string;
  readonly clientId: string;
}

// Later than the create, and not later than the fixture.
const SOON_MS = 10_000;

/** The fields of links of all kinds, by name; what is done to some of them later is in `editLinks`. */
const drafts = (): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  'all fields': {
    url: 'https://example.com/spring?a=1&b=%20#part',
    campaign_name: 'Spring 2026',
    metadata: '{"team":"web","n":1.0}',
    sec_id: 'print',
  },
  'only a URL': { url: 'https://example.com/' },
  'by an API token': { url: 'https://example.com/token' },
  'characters of other scripts': { url: 'https://bücher.example/größe?q=日本', campaign_name: 'Größe & Höhe' },
  'on a custom domain': { url: 'https://example.com/domain', custom_domain: 'go.acme.example' },
  'of another client, with the same campaign': {
    client_id: 'globex',
    url: 'https://example.org/globex',
    campaign_name: 'Spring 2026',
    sec_id: 'print',
  },
  'to a host that is blocked later': { client_id: 'globex', url: 'https://blocked.example/page' },
  'own slug': { url: 'https://example.com/slug', slug: 'Spring-Sale' },
  'own slug on a custom domain': {
    url: 'https://example.com/domain-slug',
    slug: 'Spring-Sale',
    custom_domain: 'go.acme.example',
  },
  'expires later': { url: 'https://example.com/later', expires_at: '2099-12-31T23:59:59.000Z' },
  expired: {
    url: 'https://example.com/expired',
    campaign_name: 'Spring 2026',
    expires_at: new Date(Date.now() + SOON_MS).toISOString(),
  },
  'title and comments': { url: 'https://example.com/title', title: 'A title', comments: 'Two\nlines' },
  edited: { url: 'https://example.com/edited', campaign_name: 'Spring 2026' },
  disabled: { url: 'https://example.com/disabled' },
  deleted: { url: 'https://example.com/deleted', slug: 'former' },
  'deleted and restored': { url: 'https://example.com/restored' },
  'with an Idempotency-Key': { url: 'https://example.com/repeatable' },
});

/** Creates a link of each kind, in all ways that there are. */
export async function createLinks(send: Send, keys: Keys, { bearer, apiToken }: SignedIn): Promise<Created[]> {
  const created: Created[] = [];
  const add = (name: string, { id }: { readonly id: string }, clientId = 'acme') =>
    created.push({ name, id, clientId });
  const create = async (
    name: string,
    operation: string,
    headers: Headers,
    fields: Readonly<Record<string, string>>,
  ) => {
    const form = new URLSearchParams({ client_id: 'acme', ...fields });
    add(name, JSON.parse((await send<{ result: string }>(operation, headers, form)).result), fields['client_id']);
  };
  for (const [name, fields] of Object.entries(drafts())) {
    const key = name === 'by an API token' ? { 'X-API-Key': apiToken } : keys[fields['client_id'] ?? 'acme'];
    const repeat = name === 'with an Idempotency-Key' && { 'Idempotency-Key': 'fixture-1' };
    await create(name, 'POST /v1/links', { ...key, ...repeat }, fields);
  }
  await create('encoded', 'POST /shortener/encode', bearer, { url: 'https://example.com/encoded' });
  const links = ['one', 'two'].map((path) => ({ client_id: 'acme', url: `https://example.com/batch/${path}` }));
  const batch = await send<Results>('POST /v1/links/batch', keys['acme'], { links });
  for (const { link } of batch.results) add('of a batch', link);
  const csv = { ...keys['acme'], 'Content-Type': 'text/csv' };
  const rows = 'slug,url,campaign_name\r\nautumn,https://example.com/autumn,Autumn\r\n';
  const imported = await send<Results>('POST /v1/links/import?client_id=acme', csv, rows);
  for (const { link } of imported.results) add('imported', link);
  return created;
}

interface Results {
  readonly results: readonly { readonly link: { readonly id: string } }[];
}

/** Edits, disables, deletes and restores the links that are named so. */
export async function editLinks(send: Send, keys: Keys, links: readonly Created[], { bearer }: SignedIn) {
  for (const { name, id, clientId } of links) {
    const [path, key] = [`/v1/links/${id}`, keys[clientId]];
    const edit = (fields: object, headers = bearer) => send(`PATCH ${path}?client_id=${clientId}`, headers, fields);
    if (name === 'edited') {
      await edit({ url: 'https://example.com/edited/once', metadata: '{"n":1}' });
      await edit({ slug: 'edited', campaign_name: 'Summer 2026' }, key);
      await edit({ url: 'https://example.com/edited/twice', metadata: null });
      await send(`POST ${path}/history/1/restore`, key);
    }
    if (name === 'disabled') await edit({ disabled: true });
    if (name.startsWith('deleted')) await send(`DELETE ${path}`, key);
    if (name === 'deleted and restored') await send(`POST ${path}/restore`, key);
  }
}

/** A link as the service describes it. */
interface LinkRecord {
  readonly short_url: string;
  readonly url: string;
  readonly sec_id: string;
  readonly campaign_name: string | null;
  readonly custom_domain: string | null;
  readonly metadata: string | null;
  readonly aliases: readonly string[];
  readonly state: KnownLink['state'];
}

/** Reads links, none of which has clicks that are known. */
export function readLinks(send: Send, keys: Keys, links: readonly Created[]): Promise<KnownLink[]> {
  return Promise.all(
    links.map(async ({ name, id, clientId }) => {
      const link = await send<LinkRecord>(`GET /v1/links/${id}`, keys[clientId]);
      const { history } = await send<{ history: readonly unknown[] }>(`GET /v1/links/${id}/history`, keys[clientId]);
      return {
        name,
        id,
        clientId,
        secId: link.sec_id,
        customDomain: link.custom_domain,
        slug: decodeURIComponent(new URL(link.short_url).pathname.slice(1)),
        aliases: link.aliases,
        url: link.url,
        campaignName: link.campaign_name,
        metadata: link.metadata,
        state: link.state,
        history: history.length,
        clicks: { humans: 0, bots: 0, previews: 0 },
      };
    }),
  );
}
