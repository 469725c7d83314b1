import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { confirmMembers } from '../../src/accounts/suspension/daily.ts';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { confirmAddress, linkIn, mailsOf, sendThrough } from '../support/mail.ts';
import { form, openBrowser, placeOf } from '../support/platform.ts';
import { addTo, giveFactor, seedIdentity, seedProvider } from '../support/providers.ts';
import { db } from '../support/seed.ts';

const DAY_MS = 24 * 3600 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

/** A workspace, and members with a confirmed address. */
async function openWorkspace() {
  const owner = await seedCaller();
  const { browse } = await openBrowser(owner);
  await giveFactor(owner);
  /** Demands a second factor on the page, or no longer. */
  const demand = async (isOn: boolean) => {
    const path = `/platform/c/${owner.clientId}/settings/factors`;
    expect(placeOf(await browse(path, form({ factors: isOn ? 'on' : 'off' })))[0]).toBe(303);
  };
  const join = async (role: 'owner' | 'member' = 'member') => {
    const member = await seedCaller();
    await env.DB.prepare(`UPDATE users SET password_hash = '$scrypt$x' WHERE id = ?`).bind(member.userId).run();
    await addTo(member, owner.clientId, role);
    await confirmAddress(member.userId);
    return member;
  };
  return { owner, clientId: owner.clientId, demand, join };
}

/** The daily clean-up, some days from now. */
async function runDaily(days = 0): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY_MS });
  const app = createApp(parseConfig({ ...env, MAIL_URL: 'https://mail.example/', MAIL_TOKEN: 'x' }));
  await app.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
  vi.useRealTimers();
}

const demandMails = ({ userId }: Caller) => mailsOf('factor_demanded', userId);

/** The days until each mail is due, rounded. */
const daysUntil = async (member: Caller) =>
  (await demandMails(member)).map(({ next_try_at: at }) => Math.round((at - Date.now()) / DAY_MS) + 0);

describe('the warning of a demanded second factor', () => {
  it('members without one get it at once, and once more a day before, however often the daily clean-up runs', async () => {
    const { owner, demand, join } = await openWorkspace();
    const [member, withFactor] = [await join(), await join()];
    await giveFactor(withFactor);
    await demand(true);
    expect(await daysUntil(member)).toEqual([0]);
    for (const days of [0, 0, 3]) await runDaily(days);
    expect(await daysUntil(member)).toEqual([0]);
    for (const days of [5.5, 5.5, 6.2]) await runDaily(days);
    expect(await daysUntil(member)).toEqual([0, 6]);
    expect([await demandMails(withFactor), await demandMails(owner)]).toEqual([[], []]);
    const [sent] = await sendThrough(await demandMails(member));
    expect(sent?.mail.subject).toBe('Set up two-step sign-in');
    expect(linkIn(sent!.mail)).toBe('/platform/account/factors');
  });

  it('a member who joins late, or whose run is missing, gets one mail in the last day', async () => {
    const { demand, join } = await openWorkspace();
    await demand(true);
    const member = await join();
    await runDaily(6.5);
    const mails = await demandMails(member);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.next_try_at).toBeGreaterThan(Date.now() + 6.4 * DAY_MS);
    const late = await join();
    await runDaily(7.1);
    expect(await demandMails(late)).toEqual([]);
  });

  it('a mail that waits is not sent once the member has a factor, or has left, or the demand has ended', async () => {
    const { clientId, demand, join } = await openWorkspace();
    const [factor, left, freed] = [await join(), await join(), await join()];
    await demand(true);
    await giveFactor(factor);
    await env.DB.prepare('DELETE FROM members WHERE user_id = ? AND client_id = ?').bind(left.userId, clientId).run();
    expect(await sendThrough([...(await demandMails(factor)), ...(await demandMails(left))])).toEqual([]);
    await demand(false);
    expect(await sendThrough(await demandMails(freed))).toEqual([]);
    await demand(true);
    expect(await sendThrough(await demandMails(freed))).toHaveLength(1);
  });

  it('a demand that is turned off and on again is mailed once in a day', async () => {
    const { demand, join } = await openWorkspace();
    const member = await join();
    for (const isOn of [true, false, true, false, true]) await demand(isOn);
    expect(await demandMails(member)).toHaveLength(1);
    await runDaily(0.5);
    expect(await demandMails(member)).toHaveLength(1);
    await runDaily(1.1);
    expect(await demandMails(member)).toHaveLength(2);
  });

  it('a member who can only come by the provider of the workspace gets none', async () => {
    const { clientId, demand, join } = await openWorkspace();
    const member = await join();
    await seedIdentity(await seedProvider(clientId), member);
    await env.DB.prepare(`UPDATE users SET password_hash = '!' WHERE id = ?`).bind(member.userId).run();
    await demand(true);
    expect(await demandMails(member)).toEqual([]);
  });
});

const unasked = async () => ({ outcome: 'unknown' }) as const;
const warnings = ({ userId }: Caller) => mailsOf('unconfirmed', userId);

describe('the warning before a provider suspends', () => {
  it('a person who is not confirmed for long gets it once, seven days before, also if a run is late', async () => {
    const { clientId, join } = await openWorkspace();
    const [member, now] = [await join(), Date.now()];
    await seedIdentity(await seedProvider(clientId), member, { confirmedAt: now - 22 * DAY_MS });
    await confirmMembers(db, unasked, now);
    expect(await warnings(member)).toEqual([]);
    for (const days of [3, 3, 4]) await confirmMembers(db, unasked, now + days * DAY_MS);
    expect(await warnings(member)).toHaveLength(1);
    await env.DB.prepare('UPDATE mails SET next_try_at = 1 WHERE user_id = ?').bind(member.userId).run();
    const [due] = await sendThrough(await warnings(member));
    const day = new Date(now + 10 * DAY_MS).getUTCDate();
    expect(due?.mail.text).toMatch(new RegExp(`Sign in with it before ${day} \\w+ \\d{4} at `));
    expect(linkIn(due!.mail)).toBe(`/platform/sso/${clientId}`);
  });

  it('who signs in with the provider before the mail leaves gets none, and is warned anew the next time', async () => {
    const { clientId, join } = await openWorkspace();
    const [member, now] = [await join(), Date.now()];
    const subject = await seedIdentity(await seedProvider(clientId), member, { confirmedAt: now - 24 * DAY_MS });
    await confirmMembers(db, unasked, now);
    expect(await warnings(member)).toHaveLength(1);
    const confirm = (warned: number | null) =>
      env.DB.prepare('UPDATE identities SET warned_at = ?, confirmed_at = ? WHERE subject = ?')
        .bind(warned, now, subject)
        .run();
    await confirm(null);
    expect(await sendThrough(await warnings(member))).toEqual([]);
    await confirmMembers(db, unasked, now + 22 * DAY_MS);
    expect(await warnings(member)).toEqual([]);
    await confirmMembers(db, unasked, now + 23 * DAY_MS);
    expect(await warnings(member)).toHaveLength(1);
  });

  it('the last owner, who is never suspended, and a person of another workspace’s provider get none', async () => {
    const { owner, clientId, join } = await openWorkspace();
    const now = Date.now();
    await confirmAddress(owner.userId);
    await seedIdentity(await seedProvider(clientId), owner, { confirmedAt: 1 });
    const outsider = await seedCaller();
    await confirmAddress(outsider.userId);
    const provider = await seedProvider((await seedCaller()).clientId);
    await seedIdentity(provider, outsider, { confirmedAt: 1 });
    await confirmMembers(db, unasked, now);
    expect([await warnings(owner), await warnings(outsider)]).toEqual([[], []]);
    await join('owner');
    await confirmMembers(db, unasked, now + DAY_MS);
    expect(await warnings(owner)).toHaveLength(1);
  });

  it('a person of the provider of the service gets one mail for all workspaces', async () => {
    const { join } = await openWorkspace();
    const [member, now] = [await join(), Date.now()];
    await seedIdentity(await seedProvider(null), member, { confirmedAt: 1 });
    await confirmMembers(db, unasked, now);
    const mails = await warnings(member);
    const [sent] = await sendThrough(mails);
    expect(mails).toHaveLength(1);
    expect(sent?.mail.text).toContain('or your access to your workspaces at ');
    expect(linkIn(sent!.mail)).toBe('/platform/sign-in');
  });
});
