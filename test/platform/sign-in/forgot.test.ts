import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { newAddress } from '../../support/address.ts';
import { confirmAddress, consume, linkIn, mailsOf, sendThrough } from '../../support/mail.ts';
import { form, openBrowser, signInBy, textOf } from '../../support/platform.ts';
import { seedTenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { newName } from '../../support/sign-in.ts';

const FORGOT = '/platform/forgot';
const twice = (password: string) =>
  form({ new_password: password, new_password_again: password }, { 'CF-Connecting-IP': newAddress() });

/** Asks for a link, and returns the response and the messages of the queue. */
async function forget(name: string, address = newAddress()) {
  const sent = vi.spyOn(env.WEBHOOKS, 'sendBatch');
  const response = await call(FORGOT, form({ name }, { 'CF-Connecting-IP': address }));
  const bodies = sent.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body as object));
  sent.mockRestore();
  return { response, bodies };
}

describe('a forgotten password', () => {
  it('a mailed link sets a new password, once, within an hour', async () => {
    const tenant = await seedTenant();
    const address = await confirmAddress(tenant.userId);
    expect(await textOf(call('/platform/sign-in'))).toContain(
      '<a class="button quiet" href="/platform/forgot">Forgot your password?</a>',
    );
    const { response, bodies } = await forget(tenant.userName);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Check your mail')]);
    await consume(bodies);
    const [sent] = await sendThrough(await mailsOf('reset', tenant.userId));
    expect(sent?.mail).toMatchObject({ to: [address], subject: 'Choose a new password' });
    expect(sent?.mail.html).not.toContain(tenant.userName);
    const link = linkIn(sent!.mail);
    const hour = await env.DB.prepare('SELECT expires_at - created_at AS ms FROM password_resets WHERE user_id = ?')
      .bind(tenant.userId)
      .first('ms');
    expect(hour).toBe(3_600_000);
    expect((await call(link, twice('correct horse'))).status).toBe(303);
    expect((await signInBy(tenant, 'correct horse')).headers.get('Location')).toBe('/platform');
    expect((await call(link, twice('correct horse 2'))).status).toBe(410);
  });

  it('a link is mailed for a confirmed address too, in any case, to each account that has it', async () => {
    const [one, another] = [await seedTenant(), await seedTenant()];
    const address = await confirmAddress(one.userId);
    await confirmAddress(another.userId, address);
    await consume((await forget(` ${address.toUpperCase()} `)).bodies);
    expect(await mailsOf('reset', one.userId)).toHaveLength(1);
    expect(await mailsOf('reset', another.userId)).toHaveLength(1);
  });

  it('a link that ends before its mail leaves is not mailed', async () => {
    const tenant = await seedTenant();
    await confirmAddress(tenant.userId);
    await consume([{ reset: tenant.userName }]);
    const mails = await mailsOf('reset', tenant.userId);
    await env.DB.prepare('UPDATE password_resets SET ended_at = 1 WHERE user_id = ?').bind(tenant.userId).run();
    expect(mails).toHaveLength(1);
    expect(await sendThrough(mails)).toEqual([]);
  });

  it('names with and without an account get the same bytes after the same work', async () => {
    const tenant = await seedTenant();
    await confirmAddress(tenant.userId);
    const disabled = await seedTenant();
    await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE id = ?').bind(disabled.userId).run();
    const unconfirmed = await seedTenant();
    const pages = [];
    for (const name of [
      tenant.userName,
      disabled.userName,
      unconfirmed.userName,
      newName(),
      `${newName()}@a.example`,
    ]) {
      const prepared = vi.spyOn(env.DB, 'prepare');
      const { response, bodies } = await forget(name);
      const headers = [...response.headers].filter(([header]) => header !== 'x-request-id' && header !== 'set-cookie');
      pages.push([response.status, headers, await response.text(), prepared.mock.calls.length, bodies.length]);
      prepared.mockRestore();
      await consume(bodies);
    }
    for (const page of pages) expect(page).toEqual(pages[0]);
    expect(await mailsOf('reset', disabled.userId)).toEqual([]);
    expect(await mailsOf('reset', unconfirmed.userId)).toEqual([]);
  });

  it('a message that comes twice, or a stranger, mails at most three links an hour to an account', async () => {
    const tenant = await seedTenant();
    await confirmAddress(tenant.userId);
    for (let index = 0; index < 5; index += 1) await consume([{ reset: tenant.userName }]);
    expect(await mailsOf('reset', tenant.userId)).toHaveLength(3);
    const another = await seedTenant();
    await confirmAddress(another.userId);
    await consume(Array.from({ length: 5 }, () => ({ reset: another.userName })));
    expect(await mailsOf('reset', another.userId)).toHaveLength(3);
  });

  it('the page says that it is unavailable while the queue is down', async () => {
    const sent = vi.spyOn(env.WEBHOOKS, 'sendBatch').mockRejectedValue(new Error('down'));
    const response = await call(FORGOT, form({ name: newName() }, { 'CF-Connecting-IP': newAddress() }));
    sent.mockRestore();
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringContaining('This is temporarily unavailable. Try again in a few seconds.'),
    ]);
  });

  it('attempts from one address are limited', async () => {
    const address = newAddress();
    const statuses = [];
    for (let index = 0; index < 25; index += 1) statuses.push((await forget(newName(), address)).response.status);
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(statuses).toContain(429);
  });

  it('an attacker with the mailbox sets the password, and does not get past the second factor', async () => {
    const tenant = await seedTenant();
    await confirmAddress(tenant.userId);
    const { browse } = await openBrowser(tenant);
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO totp_seeds (user_id, seed, created_at) VALUES (?, 'x', 1)`).bind(tenant.userId),
      env.DB.prepare('UPDATE users SET factor_since = 1 WHERE id = ?').bind(tenant.userId),
    ]);
    await consume([{ reset: tenant.userName }]);
    const [sent] = await sendThrough(await mailsOf('reset', tenant.userId));
    expect((await call(linkIn(sent!.mail), twice('correct horse'))).status).toBe(303);
    const step = await signInBy(tenant, 'correct horse');
    expect([step.status, await step.text()]).toEqual([200, expect.stringContaining('name="code"')]);
    // The owner's own session ends, so that the change is noticed.
    expect((await browse('/platform/account')).status).toBe(303);
    const factors = await env.DB.prepare('SELECT factor_since FROM users WHERE id = ?').bind(tenant.userId).first();
    expect(factors).toEqual({ factor_since: 1 });
  });
});
