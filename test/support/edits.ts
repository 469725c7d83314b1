import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { parseApiKey } from '../../src/accounts/keys/api-key.ts';
import type { Credential } from '../../src/accounts/grants.ts';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { deleteLink, editLink, restoreLink } from '../../src/links/edit/edit.ts';
import type { LinkTools } from '../../src/links/tools.ts';
import { openLinkLimits } from '../../src/link-limit/limits.ts';
import { WorkQueue } from '../../src/isolate/work-queue.ts';
import type { LinkChange } from '../../src/links/link.ts';
import { openLinkMemory, type LinkMemory } from '../../src/links/redirect/resolve.ts';
import { db, type Tenant } from './seed.ts';

/** Edits of a link, and what visitors see of them. */

/** An isolate whose memory the test holds, so that an edit can be made in it. */
export function openEditingIsolate(memory: LinkMemory = openLinkMemory(10)) {
  const app = createApp(parseConfig({ ...env, CLICK_PACK_SECONDS: '0' }), memory);
  return {
    tools: {
      db,
      kv: env.LINKS,
      memory,
      targetPolicy: null,
      schemes: new Set<string>(),
      hashing: new WorkQueue(4),
      limits: openLinkLimits(env.LIMITS, 5000),
    },
    async follow(path: string) {
      const ctx = createExecutionContext();
      const response = await app.fetch(new Request(new URL(path, 'https://terse.test')), env, ctx);
      await waitOnExecutionContext(ctx);
      return [response.status, response.headers.get('Location')];
    },
  };
}

/** The credential of the API key that a tenant was seeded with. */
export function credentialOf(tenant: Tenant): Credential {
  const key = parseApiKey(tenant.apiKey);
  if (!key) throw new Error('the seed made no key');
  return { kind: 'api_key', keyId: key.id, secretHash: key.secretHash };
}

/** An edit as the API makes it. */
export function changeTarget(
  tools: LinkTools,
  credential: Credential,
  id: string,
  { deleted, ...change }: LinkChange & { readonly deleted?: boolean },
) {
  const actor = { credential, clientId: null };
  if (deleted === undefined) return editLink(tools, actor, id, change);
  return deleted ? deleteLink(tools, actor, id) : restoreLink(tools, actor, id);
}

/** The responses to a visitor, as status and destination. */
export const GONE = [410, null];
export const leadsTo = (url: string) => [302, url];
