import type { Caller } from './forms.ts';
import { call } from './service.ts';

/** Creates a link with a slug by JSON, and gives the status with the short link or the error. */
export async function createWithSlug(caller: Caller, slug: string, fields: Readonly<Record<string, string>>) {
  const body = JSON.stringify({ url: 'https://example.com/', client_id: caller.clientId, slug, ...fields });
  const headers = { 'X-API-Key': caller.apiKey, 'Content-Type': 'application/json' };
  const response = await call('/v1/links', { method: 'POST', headers, body });
  const answer = await response.json<{ result: string; error?: string }>();
  const shown = answer.error ?? (JSON.parse(answer.result) as { short_url: string }).short_url;
  return [response.status, shown] as const;
}
