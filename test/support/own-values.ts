import { seedFailedDelivery } from './deliveries.ts';
import { seedClaim } from './domains.ts';
import type { Caller } from './forms.ts';
import { invite } from './invites.ts';
import { openBrowser } from './platform.ts';
import { RESOURCES } from './resources.ts';
import { seedLink } from './seed.ts';

export type Own = Readonly<Record<string, string>>;

/** The caller's own values for requests, by the words that stand for them. */
export async function ownOf(caller: Caller, link: Readonly<Record<string, string>> = {}): Promise<Own> {
  const external = crypto.randomUUID();
  const { id, sec_id } = await seedLink(caller, { external_id: external, tags: 'Own', ...link });
  const { id: invite_id, token } = await invite(caller);
  const { webhook, event } = await seedFailedDelivery(caller.clientId);
  return {
    key: caller.apiKey,
    key_id: caller.apiKey.split('_')[1] ?? '',
    access: caller.accessToken,
    api: caller.apiToken,
    basic: caller.basic,
    session: (await openBrowser(caller)).value,
    client: caller.clientId,
    user: caller.userId,
    link: id,
    sec: sec_id,
    external,
    domain: (await seedClaim(caller)).id,
    webhook,
    event,
    invite: token,
    invite_id,
    nonce: crypto.randomUUID(),
    ...Object.fromEntries(await Promise.all(RESOURCES.map(async ({ name, seed }) => [name, await seed(caller)]))),
  };
}
