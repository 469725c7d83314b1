import type { Context } from 'hono';
import type { Actor } from '../accounts/access.ts';
import { setUpHost, takeDownHost, type SetUp } from '../domains/custom-hostnames.ts';
import type { Domain } from '../domains/domain.ts';
import { hostnameOf } from '../domains/host.ts';
import { dropDomain } from '../domains/manage.ts';
import { verifyDomain, type Proof } from '../domains/verify.ts';
import { forgetHost } from '../links/of-domain.ts';
import { logProblem } from '../log.ts';
import type { Asked } from './env.ts';
import { limitVerifications } from './verify-limit.ts';

/** What every surface does with the host of a domain, besides what the database says of it. */

type AskedWithTime = Asked & Pick<Context, 'executionCtx'>;

/** What a custom domain is an alias of: `DOMAIN_TARGET`, or else the service's own host. */
export function domainTarget(c: Asked): string {
  const { requestUrl, publicUrl } = c.var.site;
  return c.var.services.config.domainTarget ?? hostnameOf(publicUrl ?? requestUrl);
}

/** Who takes hosts in, as far as is known without trying. */
export function usualSetUp(c: Asked): SetUp {
  return c.var.services.customHostnames ? 'automatic' : 'by_operator';
}

/** Has a domain verified, and its host taken in where nothing of ours answers there. Throws what `verifyDomain` throws, and `too_many_requests`. */
export async function verifyHost(
  c: AskedWithTime,
  actor: Actor,
  id: string,
): Promise<{ readonly domain: Domain; readonly proof: Proof; readonly setUp: SetUp }> {
  await limitVerifications(c, actor.credential);
  const { proofSources, customHostnames } = c.var.services;
  const { domain, proof, tookOver } = await verifyDomain(c.var.db, proofSources, actor, id);
  if (tookOver) forget(c, domain.host);
  const setUp = proof.http === 'ok' ? usualSetUp(c) : await setUpHost(customHostnames, domain.host);
  return { domain, proof, setUp };
}

/** Removes a domain, and what is left of its host here. Throws what `dropDomain` throws. */
export async function removeHost(
  c: AskedWithTime,
  actor: Actor,
  id: string,
  removal: { readonly force: boolean },
): Promise<void> {
  const { host, isServed } = await dropDomain(c.var.db, actor, id, removal);
  if (isServed) return;
  forget(c, host);
  c.executionCtx.waitUntil(takeDownHost(c.var.services.customHostnames, host));
}

function forget(c: AskedWithTime, host: string): void {
  const tiers = { memory: c.var.services.memory, kv: c.env.LINKS };
  c.executionCtx.waitUntil(forgetHost(tiers, host).catch((cause: unknown) => logProblem('host_not_forgotten', cause)));
}
