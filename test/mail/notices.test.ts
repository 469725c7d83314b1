import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { resetFactors } from '../../src/accounts/operator.ts';
import { insertKeyNotices, noticeNewDevices } from '../../src/accounts/mailed-notices.ts';
import { startSession } from '../../src/accounts/sessions/session.ts';
import { updateChecked } from '../../src/domains/proof-store.ts';
import { disableWebhook } from '../../src/webhooks/delivery/failing-store.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { seedMember } from '../support/management.ts';
import { confirmAddress, mailsOf } from '../support/mail.ts';
import { form, openBrowser } from '../support/platform.ts';
import { passwordHashOf } from '../support/sessions.ts';
import { db, seedDomain } from '../support/seed.ts';
import { addWebhook } from '../support/webhooks.ts';

const DAY_MS = 24 * 3600 * 1000;

async function seedOwner(): Promise<Caller> {
  const owner = await seedCaller();
  await confirmAddress(owner.userId);
  return owner;
}

const countOf = async (kind: string, { userId }: { readonly userId: string }) => (await mailsOf(kind, userId)).length;

/** Signs in from a device, and returns when. */
async function signInFrom({ userId }: Caller, browser: string, country: string | null = null): Promise<void> {
  const passwordHash = await passwordHashOf({ userId });
  await startSession(db, { id: userId, passwordHash, hasFactor: false }, { browser, os: 'Linux', country });
  // The next one is later, by the clock too.
  await env.DB.prepare('UPDATE sign_ins SET at = at - 1000 WHERE user_id = ?').bind(userId).run();
}

describe('a mail about a sign-in', () => {
  it('a sign-in from a device or country that the history does not have is mailed once, and the first one never', async () => {
    const owner = await seedOwner();
    await signInFrom(owner, 'Firefox');
    await noticeNewDevices(db, Date.now());
    expect(await countOf('new_device', owner)).toBe(0);
    await signInFrom(owner, 'Firefox');
    await noticeNewDevices(db, Date.now());
    expect(await countOf('new_device', owner)).toBe(0);
    await signInFrom(owner, 'Chrome');
    await noticeNewDevices(db, Date.now());
    await noticeNewDevices(db, Date.now());
    expect(await countOf('new_device', owner)).toBe(1);
    await signInFrom(owner, 'Chrome', 'FR');
    await noticeNewDevices(db, Date.now());
    expect(await countOf('new_device', owner)).toBe(2);
  });

  it('a sign-in of a user without a confirmed address, and one before it was confirmed, are not mailed', async () => {
    const owner = await seedCaller();
    await signInFrom(owner, 'Firefox');
    await signInFrom(owner, 'Chrome');
    await noticeNewDevices(db, Date.now());
    await confirmAddress(owner.userId);
    await env.DB.prepare('UPDATE mail_addresses SET confirmed_at = ? WHERE user_id = ?')
      .bind(Date.now(), owner.userId)
      .run();
    await noticeNewDevices(db, Date.now());
    expect(await countOf('new_device', owner)).toBe(0);
  });
});

describe('a mail about factors', () => {
  it('new recovery codes and a removed app are mailed, and what changes nothing is not', async () => {
    const owner = await seedOwner();
    const { browse } = await openBrowser(owner);
    await browse('/platform/account/factors/app/remove', form({}));
    expect(await countOf('factors_changed', owner)).toBe(0);
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO totp_seeds (user_id, seed, created_at) VALUES (?, 'x', 1)`).bind(owner.userId),
      env.DB.prepare('UPDATE users SET factor_since = 1 WHERE id = ?').bind(owner.userId),
    ]);
    await browse('/platform/account/factors/codes', form({}));
    expect(await countOf('factors_changed', owner)).toBe(1);
    await browse('/platform/account/factors/app/remove', form({}));
    expect(await countOf('factors_changed', owner)).toBe(2);
  });

  it('the reset of factors by the operator is mailed to the user and to the other owners', async () => {
    const owner = await seedOwner();
    const member = await seedMember(owner);
    await confirmAddress(member.userId);
    expect(await resetFactors(db, member.userName)).toBe(true);
    expect([await countOf('factors_reset', member), await countOf('factors_reset', owner)]).toEqual([1, 1]);
    expect(await resetFactors(db, owner.userName)).toBe(true);
    expect([await countOf('factors_reset', member), await countOf('factors_reset', owner)]).toEqual([1, 2]);
  });
});

it('the holder of a key gets a mail in the seventh day before it expires, once', async () => {
  const owner = await seedOwner();
  const now = Date.now();
  const expire = (at: number | null) =>
    env.DB.prepare('UPDATE api_keys SET created_at = 1, expires_at = ? WHERE user_id = ?').bind(at, owner.userId).run();
  for (const [at, expected] of [
    [null, 0],
    [now + 8 * DAY_MS, 0],
    [now + 7 * DAY_MS, 1],
    [now + 6 * DAY_MS, 1],
    [now + 1, 1],
  ] as const) {
    await expire(at);
    await db.batch([insertKeyNotices(now)]);
    expect([at, await countOf('key_expires', owner)]).toEqual([at, expected]);
  }
});

it('a run that is late, or takes the place of one that is missing, leaves out no key', async () => {
  const [owner, now] = [await seedOwner(), Date.now()];
  await env.DB.prepare('UPDATE api_keys SET created_at = 1, expires_at = ? WHERE user_id = ?')
    .bind(now + 7 * DAY_MS + 1, owner.userId)
    .run();
  await db.batch([insertKeyNotices(now)]);
  expect(await countOf('key_expires', owner)).toBe(0);
  await db.batch([insertKeyNotices(now + DAY_MS + 1000)]);
  expect(await countOf('key_expires', owner)).toBe(1);
});

it('the owners of a workspace get a mail when a domain is lost, and members get none', async () => {
  const owner = await seedOwner();
  const member = await seedMember(owner);
  await confirmAddress(member.userId);
  const host = await seedDomain(owner);
  await env.DB.prepare('UPDATE domains SET failures = 1, checked_at = 1, verified_at = 1 WHERE host = ?')
    .bind(host)
    .run();
  const { id, token } = (await env.DB.prepare(`SELECT id, coalesce(token, id) AS token FROM domains WHERE host = ?`)
    .bind(host)
    .first<{ id: string; token: string }>())!;
  for (const expected of [0, 1, 1]) {
    const now = Date.now();
    await db.batch(updateChecked([{ id, token, outcome: 'failed' }], { now, checkedBefore: now + 1, most: 3 }));
    expect(await countOf('domain_lost', owner)).toBe(expected);
  }
  expect(await countOf('domain_lost', member)).toBe(0);
});

it('the owners of a workspace get a mail when a webhook is disabled, once', async () => {
  const owner = await seedOwner();
  const [id, url] = [await addWebhook(owner.clientId), 'https://hooks.example/'];
  for (let index = 0; index < 2; index += 1)
    await db.batch(disableWebhook({ webhook_id: id, url }, 'gone', Date.now()));
  expect(await countOf('webhook_disabled', owner)).toBe(1);
});
