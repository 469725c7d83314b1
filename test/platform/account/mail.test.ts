import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { newName } from '../../support/sign-in.ts';
import { confirmAddress, consume, linkIn, mailsOf, sendThrough } from '../../support/mail.ts';
import { form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { seedCaller } from '../../support/forms.ts';
import { addTo } from '../../support/providers.ts';
import { seedTenant } from '../../support/seed.ts';
import { makeStale } from '../../support/sessions.ts';

const MAIL = '/platform/account/mail';
const newAddressOfMail = () => `${newName()}@mail.example`;

async function openAccount() {
  const caller = await seedCaller();
  return { caller, ...(await openBrowser(caller)) };
}

/** Enters an address, and returns the path of the link that was mailed to it. */
async function enter(browse: Awaited<ReturnType<typeof openAccount>>['browse'], address: string): Promise<string> {
  expect(placeOf(await browse(MAIL, form({ address })))).toEqual([303, MAIL]);
  const [sent] = await sendThrough((await mailsOf('confirm', address)).slice(-1));
  return linkIn(sent!.mail);
}

describe('the address of a user', () => {
  it('an address is used once its link is opened and confirmed, and no mail but that one goes there before', async () => {
    const { caller, browse } = await openAccount();
    const address = newAddressOfMail();
    const link = await enter(browse, address);
    expect(link).toMatch(/^\/platform\/account\/mail\/confirm\/[A-Za-z0-9]{43}$/);
    expect(await textOf(browse(MAIL))).toContain(`A link was mailed to <bdi>${address}</bdi>`);
    const shown = await textOf(browse(link));
    expect(shown).toContain(`mailed to <bdi>${address}</bdi>`);
    expect(await textOf(browse(MAIL))).toContain('No address is confirmed yet.');
    expect(placeOf(await browse(link, form({})))).toEqual([303, MAIL]);
    expect(await textOf(browse(MAIL))).toContain(`<bdi>${address}</bdi> is confirmed.`);
    const rows = await env.DB.prepare('SELECT address, pending, pending_hash FROM mail_addresses WHERE user_id = ?')
      .bind(caller.userId)
      .first();
    expect(rows).toEqual({ address, pending: null, pending_hash: null });
  });

  it('a mail leaves at once: the request that inserts it sends a reminder to the queue, without the address', async () => {
    const { caller, browse } = await openAccount();
    const sendBatch = vi.spyOn(env.WEBHOOKS, 'sendBatch');
    await browse(MAIL, form({ address: newAddressOfMail() }));
    const bodies = sendBatch.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body));
    sendBatch.mockRestore();
    const [mail] = await mailsOf('confirm', caller.userId);
    expect(bodies).toEqual([{ mail: mail?.id }]);
  });

  it('a mail waits for the cron while the queue is down, and the request succeeds', async () => {
    const { caller, browse } = await openAccount();
    const sendBatch = vi.spyOn(env.WEBHOOKS, 'sendBatch').mockRejectedValue(new Error('down'));
    expect(placeOf(await browse(MAIL, form({ address: newAddressOfMail() })))).toEqual([303, MAIL]);
    sendBatch.mockRestore();
    const [mail] = await mailsOf('confirm', caller.userId);
    expect(mail).toMatchObject({ sent_at: null, tries: 0 });
    expect(mail!.next_try_at).toBeLessThanOrEqual(Date.now());
  });

  it('a link confirms an address once, for its own account alone, and for an hour', async () => {
    const { caller, browse } = await openAccount();
    const other = await openAccount();
    const link = await enter(browse, newAddressOfMail());
    const refused = await other.browse(link, form({}));
    expect([refused.status, await refused.text()]).toEqual([410, expect.stringContaining('This link no longer works')]);
    expect((await other.browse(link)).status).toBe(410);
    await env.DB.prepare('UPDATE mail_addresses SET pending_until = ? WHERE user_id = ?')
      .bind(Date.now() - 1, caller.userId)
      .run();
    expect((await browse(link, form({}))).status).toBe(410);
    await env.DB.prepare('UPDATE mail_addresses SET pending_until = ? WHERE user_id = ?')
      .bind(Date.now() + 60_000, caller.userId)
      .run();
    expect((await browse(link, form({}))).status).toBe(303);
    expect((await browse(link, form({}))).status).toBe(410);
  });

  it('a new address replaces the former one once it is confirmed, and a mail says so to the former one', async () => {
    const { caller, browse } = await openAccount();
    const former = await confirmAddress(caller.userId);
    const next = newAddressOfMail();
    const link = await enter(browse, next);
    expect(await mailsOf('address_changed', former)).toEqual([]);
    expect((await browse(link, form({}))).status).toBe(303);
    const rows = await mailsOf('address_changed', former);
    const [sent] = await sendThrough(rows);
    expect(sent?.mail).toMatchObject({ to: [former], subject: 'This address is no longer used' });
  });

  it('a new address ends links to choose a password that were mailed to the former one', async () => {
    const { caller, browse } = await openAccount();
    await confirmAddress(caller.userId);
    await consume([{ reset: caller.userName }]);
    const [sent] = await sendThrough(await mailsOf('reset', caller.userId));
    const link = linkIn(sent!.mail);
    expect((await browse(link)).status).toBe(200);
    expect((await browse(await enter(browse, newAddressOfMail()), form({}))).status).toBe(303);
    expect((await browse(link)).status).toBe(410);
  });

  it('a newer link takes the place of the one before', async () => {
    const { browse } = await openAccount();
    const first = await enter(browse, newAddressOfMail());
    const second = await enter(browse, newAddressOfMail());
    expect((await browse(first, form({}))).status).toBe(410);
    expect((await browse(second, form({}))).status).toBe(303);
    const [late, last] = [newAddressOfMail(), newAddressOfMail()];
    for (const address of [late, last]) await browse(MAIL, form({ address }));
    expect(await sendThrough(await mailsOf('confirm', late))).toEqual([]);
    expect(await sendThrough(await mailsOf('confirm', last))).toHaveLength(1);
  });

  it('an address can be removed, a mail says so, and that ends links that were mailed to it', async () => {
    const { caller, browse } = await openAccount();
    const address = await confirmAddress(caller.userId);
    await consume([{ reset: caller.userName }]);
    const [reset] = await sendThrough(await mailsOf('reset', caller.userId));
    expect((await browse(linkIn(reset!.mail))).status).toBe(200);
    expect(await textOf(browse(`${MAIL}/remove`))).toContain('Remove this address?');
    expect(placeOf(await browse(`${MAIL}/remove`, form({})))).toEqual([303, MAIL]);
    expect(await mailsOf('address_changed', address)).toHaveLength(1);
    expect(await textOf(browse(MAIL))).toContain('No address is confirmed yet.');
    expect((await browse(linkIn(reset!.mail))).status).toBe(410);
  });

  it.each([
    'ann',
    'a@b',
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example, c@d.example',
    '"a b"@c.example',
    'a@b.example>',
    '<a@b.example>',
    'a@-b.example',
    `${'a'.repeat(65)}@b.example`,
    'ä@b.example',
    '',
  ])('refuses %j as an address, and mails nothing', async (address) => {
    const { caller, browse } = await openAccount();
    const refused = await browse(MAIL, form({ address }));
    expect(refused.status).toBe(400);
    expect(await mailsOf('confirm', caller.userId)).toEqual([]);
  });

  it('mails at most three links a day to one address, and ten of one account', async () => {
    const address = newAddressOfMail();
    const [one, another] = [await openAccount(), await openAccount()];
    for (const { browse } of [one, another, one]) expect((await browse(MAIL, form({ address }))).status).toBe(303);
    const refused = await another.browse(MAIL, form({ address: address.toUpperCase() }));
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringContaining('Too many links were mailed today. Try again tomorrow.'),
    ]);
    for (let index = 2; index < 10; index += 1)
      expect((await one.browse(MAIL, form({ address: newAddressOfMail() }))).status).toBe(303);
    expect((await one.browse(MAIL, form({ address: newAddressOfMail() }))).status).toBe(429);
  });

  it('the links that a deleted account has mailed to an address are counted', async () => {
    const address = newAddressOfMail();
    const [tenant, owner] = [await seedTenant(), await openAccount()];
    await addTo(owner.caller, tenant.clientId, 'owner');
    const { browse } = await openBrowser(tenant);
    for (let link = 0; link < 3; link += 1) expect((await browse(MAIL, form({ address }))).status).toBe(303);
    const fields = { name: tenant.userName, current_password: tenant.password };
    expect((await browse('/platform/account/delete', form(fields))).status).toBe(303);
    expect(await env.DB.prepare('SELECT id FROM users WHERE id = ?').bind(tenant.userId).first()).toBeNull();
    expect((await owner.browse(MAIL, form({ address }))).status).toBe(429);
    // The links of the deleted account are no longer sent.
    expect(await sendThrough(await mailsOf('confirm', address))).toEqual([]);
  });

  it('asks for a fresh confirmation before an address is entered or removed', async () => {
    const { caller, browse } = await openAccount();
    await makeStale(caller);
    const address = newAddressOfMail();
    const leads = [303, expect.stringContaining('/platform/confirm')];
    expect(placeOf(await browse(MAIL, form({ address })))).toEqual(leads);
    expect(placeOf(await browse(`${MAIL}/remove`, form({})))).toEqual(leads);
    expect(await mailsOf('confirm', caller.userId)).toEqual([]);
  });
});
