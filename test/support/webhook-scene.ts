import { seedCaller, type Caller } from './forms.ts';
import { openBrowser, type Browse, browse as browseWith } from './platform.ts';
import { openWebhookIsolate } from './webhook-owners.ts';

/** A signed-in owner, in an isolate that allows webhooks to this machine, and the path of their webhooks. */
export async function openWebhookPages(caller?: Caller): Promise<{ caller: Caller; browse: Browse; path: string }> {
  const owner = caller ?? (await seedCaller());
  const { cookie } = await openBrowser(owner);
  return {
    caller: owner,
    browse: browseWith(cookie, openWebhookIsolate()),
    path: `/platform/c/${owner.clientId}/webhooks`,
  };
}
