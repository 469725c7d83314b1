import * as z from 'zod';
import { drafts } from './drafts.ts';
import type { KnownLink } from './known.ts';
import type { Service } from './service.ts';

/** The credentials of a client for its links. */
interface LinkCredentials {
  readonly apiKey: string;
  readonly accessToken: string;
  readonly apiToken: string;
}

/** The published record of a link, and what a managed link has besides. */
const recordShape = z.object({
  id: z.string(),
  short_url: z.string(),
  url: z.string(),
  client_id: z.string(),
  sec_id: z.string(),
  campaign_name: z.string().nullable(),
  custom_domain: z.string().nullable(),
  metadata: z.string().nullable(),
  title: z.string().nullable().optional(),
  comments: z.string().nullable().optional(),
  expires_at: z.string().nullable().optional(),
  aliases: z.array(z.string()).optional(),
  state: z.enum(['active', 'expired', 'disabled', 'deleted']).optional(),
});

const CREATE = 'POST /v1/links';
const BATCH = 'POST /v1/links/batch';
const IMPORT = 'POST /v1/links/import';
const ENCODE = 'POST /shortener/encode';

/**
 * Creates a link of each kind that the release has, in all ways that it has.
 *
 * @param credentialsOf the credentials of a client
 */
export async function createLinks(
  service: Service,
  credentialsOf: (clientId: string) => LinkCredentials,
): Promise<KnownLink[]> {
  const links: KnownLink[] = [];
  for (const { name, clientId, fields, by = 'apiKey', idempotencyKey, needs } of drafts()) {
    const isKnown = Object.keys(fields).every((field) => service.takes(CREATE, field));
    if (!isKnown || (needs !== undefined && !service.has(needs))) continue;
    const headers = {
      'X-API-Key': credentialsOf(clientId)[by],
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    };
    const received = await service.send(CREATE, { headers, form: { client_id: clientId, ...fields } });
    links.push({ ...toKnown(name, recordIn(received.as(resultShape))), expiresAt: fields['expires_at'] ?? null });
  }
  const { accessToken, apiKey } = credentialsOf('acme');
  const bearer = { Authorization: `Bearer ${accessToken}` };
  if (service.has(ENCODE)) {
    const form = { client_id: 'acme', url: 'https://example.com/encoded' };
    links.push(toKnown('encoded', recordIn((await service.send(ENCODE, { headers: bearer, form })).as(resultShape))));
  }
  const headers = { 'X-API-Key': apiKey };
  if (service.has(BATCH)) {
    const items = ['one', 'two'].map((path) => ({ client_id: 'acme', url: `https://example.com/batch/${path}` }));
    const { results } = (await service.send(BATCH, { headers, json: { links: items } })).as(resultsShape);
    links.push(...results.map(({ link }) => toKnown('of a batch', link)));
  }
  if (service.has(IMPORT)) {
    const text = 'slug,url,campaign_name\r\nautumn,https://example.com/autumn,Autumn\r\n';
    const sent = { headers: { ...headers, 'Content-Type': 'text/csv' }, text };
    const { results } = (await service.send(`${IMPORT}?client_id=acme`, sent)).as(resultsShape);
    links.push(...results.map(({ link }) => toKnown('imported', link)));
  }
  return links;
}

/**
 * Edits, disables, deletes and restores the links that are named so, and returns all links as they are then.
 *
 * @param credentialsOf the credentials of a client
 */
export async function editLinks(
  service: Service,
  links: readonly KnownLink[],
  credentialsOf: (clientId: string) => LinkCredentials,
): Promise<KnownLink[]> {
  const changed: KnownLink[] = [];
  for (const link of links) {
    const { accessToken, apiKey } = credentialsOf(link.clientId);
    const [bearer, key] = [{ Authorization: `Bearer ${accessToken}` }, { 'X-API-Key': apiKey }];
    const [path, query] = [`/v1/links/${link.id}`, `?client_id=${link.clientId}`];
    const edit = (json: object, headers: Readonly<Record<string, string>>) =>
      service.send(`PATCH ${path}${query}`, { headers, json });
    if (link.name === 'edited') {
      await edit({ url: 'https://example.com/edited/once', metadata: '{"n":1}' }, bearer);
      await edit({ slug: 'edited', campaign_name: 'Summer 2026' }, key);
      await edit({ url: 'https://example.com/edited/twice', metadata: null }, bearer);
      if (service.has('POST /v1/links/{id}/history/{n}/restore')) {
        await service.send(`POST ${path}/history/1/restore${query}`, { headers: bearer });
      }
    }
    if (link.name === 'disabled') await edit({ disabled: true }, bearer);
    if (link.name.startsWith('deleted')) {
      await service.send(`DELETE ${path}${query}`, { headers: key, status: 204 });
    }
    if (link.name === 'deleted and restored') await service.send(`POST ${path}/restore${query}`, { headers: bearer });
    changed.push(await readLink(service, link, query, bearer));
  }
  return changed;
}

// A link as the service describes it.
async function readLink(
  service: Service,
  link: KnownLink,
  query: string,
  headers: Readonly<Record<string, string>>,
): Promise<KnownLink> {
  if (!service.has('GET /v1/links/{id}')) return link;
  const path = `GET /v1/links/${link.id}`;
  const { history } = service.has('GET /v1/links/{id}/history')
    ? (await service.send(`${path}/history${query}`, { headers })).as(historyShape)
    : { history: [] };
  const record = (await service.send(`${path}${query}`, { headers })).as(recordShape);
  // It expires soon after.
  const state = link.name === 'expired' ? { state: 'expired' as const } : {};
  return { ...toKnown(link.name, record), clicks: link.clicks, history: history.length, ...state };
}

const resultShape = z.object({ result: z.string() });
const resultsShape = z.object({ results: z.array(z.object({ link: recordShape })) });
const historyShape = z.object({ history: z.array(z.unknown()) });

const recordIn = ({ result }: z.infer<typeof resultShape>) => recordShape.parse(JSON.parse(result));

function toKnown(name: string, record: z.infer<typeof recordShape>): KnownLink {
  return {
    name,
    id: record.id,
    clientId: record.client_id,
    secId: record.sec_id,
    customDomain: record.custom_domain,
    slug: decodeURIComponent(new URL(record.short_url).pathname.slice(1)),
    aliases: record.aliases ?? [],
    url: record.url,
    campaignName: record.campaign_name,
    metadata: record.metadata,
    ...(record.title !== undefined && { title: record.title }),
    ...(record.comments !== undefined && { comments: record.comments }),
    expiresAt: record.expires_at ?? null,
    state: record.state ?? 'active',
    history: 0,
    clicks: { humans: 0, bots: 0, previews: 0 },
  };
}
