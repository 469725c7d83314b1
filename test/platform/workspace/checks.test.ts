import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/accounts/audit/list-audit.ts';
import { addMember } from '../../../src/accounts/operator.ts';
import { forgetChecks, nextDay, runPass } from '../../support/health.ts';
import { openManager } from '../../support/manage.ts';
import { openOrigin } from '../../support/origins.ts';
import { form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { db, seedTenant } from '../../support/seed.ts';

beforeEach(forgetChecks);

async function openOwner() {
  const owner = await seedTenant();
  const { browse } = await openBrowser(owner);
  const path = `/platform/c/${owner.clientId}`;
  const turn = (checks: string) => browse(`${path}/settings/checks`, form({ checks }));
  return { owner, browse, path, turn, manager: await openManager(owner) };
}

describe('the checks of a workspace', () => {
  it('the checks of a workspace are turned on and off by its owner, and the audit log has both', async () => {
    const { browse, path, turn, manager } = await openOwner();
    const origin = await openOrigin();
    const [id, own, without] = [
      await manager.make({ url: `${origin.url}/a` }),
      await manager.make({ url: `${origin.url}/b`, check_destination: true }),
      await manager.make({ url: `${origin.url}/c`, check_destination: false }),
    ];
    expect(await textOf(browse(`${path}/settings`))).toContain('Destinations are not checked.');
    expect(placeOf(await turn('on'))).toEqual([303, `${path}/settings`]);
    expect(await textOf(browse(`${path}/settings`))).toContain('Destinations are checked.');
    await runPass();
    await nextDay();
    // One after the other, since the first of them loads this part of the API.
    const unhealthy = async () => {
      const found = [];
      for (const each of [id, own, without]) found.push((await manager.read(each)).unhealthy?.status);
      return found;
    };
    expect(await unhealthy()).toEqual([404, 404, undefined]);
    expect(await origin.lines()).not.toContain('HEAD /c');
    await turn('off');
    await turn('off');
    expect(await unhealthy()).toEqual([undefined, 404, undefined]);
    const lines = await origin.lines();
    await nextDay();
    expect((await origin.lines()).slice(lines.length).filter((line) => line.endsWith('/a'))).toEqual([]);
    const { body } = await manager.ask<{ entries: readonly AuditEntry[] }>('GET', '/v1/audit');
    expect(body.entries.slice(0, 2).map(({ action }) => action)).toEqual(['client.checks_off', 'client.checks_on']);
  });

  it.each(['maybe', ''])('the checks of a workspace are not changed by a form that says %j', async (checks) => {
    const { path, turn } = await openOwner();
    const response = await turn(checks);
    expect([response.status, placeOf(response)[1]]).toEqual([400, null]);
    expect(await response.text()).toContain(`action="${path}/settings/checks"`);
  });

  it('the checks of a workspace can be turned on by owners alone', async () => {
    const { owner, path } = await openOwner();
    const member = await seedTenant();
    await addMember(db, member.userName, owner.clientId, 'member');
    const { browse } = await openBrowser(member);
    expect((await browse(`${path}/settings/checks`, form({ checks: 'on' }))).status).toBe(403);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM check_sweeps').first('n')).toBe(0);
  });

  it('a badge in the list and on the page of a link says what is wrong, and the list has a filter', async () => {
    const { browse, path, manager } = await openOwner();
    const origin = await openOrigin({ '/ok': {} });
    const [bad, good] = [
      await manager.make({ url: `${origin.url}/a`, check_destination: true }),
      await manager.make({ url: `${origin.url}/ok`, check_destination: true }),
    ];
    expect(await textOf(browse(`${path}/links`))).not.toContain('Unhealthy: ');
    await runPass();
    await nextDay();
    const list = await textOf(browse(`${path}/links`));
    expect(list.split('Unhealthy: status 404')).toHaveLength(2);
    const filtered = await (await browse(`${path}/links?unhealthy=true`)).text();
    expect([filtered.includes(`/links/${bad}"`), filtered.includes(`/links/${good}"`)]).toEqual([true, false]);
    const page = await textOf(browse(`${path}/links/${bad}`));
    expect(page).toContain('Unhealthy: status 404');
    expect(page).toContain('Visitors are still redirected.');
    expect(await textOf(browse(`${path}/links/${good}`))).not.toContain('Unhealthy');
  });
});
