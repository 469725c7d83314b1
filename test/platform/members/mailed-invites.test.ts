import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { newNonce } from '../../../src/secrets/random-secrets.ts';
import { linkIn, mailsOf, sendThrough } from '../../support/mail.ts';
import { form, openBrowser, openMembers, textOf, type Browse } from '../../support/platform.ts';
import { call } from '../../support/service.ts';
import { openDomainIsolate } from '../../support/domains.ts';

const newAddress = () => `${crypto.randomUUID()}@mail.example`;
const shownIn = (page: string) => /value="(https:\/\/terse\.test\/platform\/invite\/[0-9A-Za-z]{43})"/.exec(page)?.[1];
const inviting = (browse: Browse, members: string, address: string) =>
  browse(`${members}/invite`, form({ role: 'member', nonce: newNonce(), address }));

describe('an invite with an address', () => {
  it('an invite is mailed with the link that is shown, in the language of the owner', async () => {
    const { browse, members, owner } = await openMembers();
    await env.DB.prepare(`UPDATE users SET language = 'de' WHERE id = ?`).bind(owner.userId).run();
    const address = newAddress();
    const made = await inviting(browse, members, address);
    const page = await made.text();
    expect([made.status, page]).toEqual([201, expect.stringContaining(`<bdi>${address}</bdi>`)]);
    const [sent] = await sendThrough(await mailsOf('invite', address));
    expect(sent?.mail).toMatchObject({ to: [address], subject: 'Einladung in einen Workspace' });
    expect(`https://terse.test${linkIn(sent!.mail)}`).toBe(shownIn(page));
    expect((await call(linkIn(sent!.mail))).status).toBe(200);
    const rows = await env.DB.prepare('SELECT * FROM mails WHERE address = ?').bind(address).all();
    expect(JSON.stringify(rows)).not.toContain(linkIn(sent!.mail).split('/').at(-1));
  });

  it('an invite that is revoked before its mail leaves is not mailed', async () => {
    const { browse, members } = await openMembers();
    const address = newAddress();
    await inviting(browse, members, address);
    const [mail] = await mailsOf('invite', address);
    expect((await browse(`${members}/invites/${mail?.id}/revoke`, form({}))).status).toBe(303);
    expect(await sendThrough([mail!])).toEqual([]);
    expect(await mailsOf('invite', address)).toEqual([]);
  });

  it('an invite without an address is shown, and not mailed', async () => {
    const { browse, members, owner } = await openMembers();
    const page = await textOf(inviting(browse, members, ''));
    expect(shownIn(page)).toEqual(expect.any(String));
    const mailed = await env.DB.prepare('SELECT id FROM mails WHERE client_id = ?').bind(owner.clientId).all();
    expect(mailed.results).toEqual([]);
  });

  it('a text that is no address creates no invite', async () => {
    const { browse, members, owner } = await openMembers();
    const refused = await inviting(browse, members, 'a@b.example\r\nBcc: c@d.example');
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('This must be an e-mail address, such as name@example.com.'),
    ]);
    const { results } = await env.DB.prepare('SELECT id FROM invites WHERE client_id = ?').bind(owner.clientId).all();
    expect(results).toEqual([]);
  });

  it('one address gets three invites a week from all workspaces, and later ones are shown alone', async () => {
    const [one, another] = [await openMembers(), await openMembers()];
    const address = newAddress();
    for (const { browse, members } of [one, another, one])
      expect(await textOf(inviting(browse, members, address))).toContain('The link is on its way to');
    const page = await textOf(inviting(another.browse, another.members, address.toUpperCase()));
    expect(page).toContain('The link is not mailed to');
    expect(shownIn(page)).toEqual(expect.any(String));
    await env.DB.prepare('UPDATE mails SET created_at = created_at - 604800001 WHERE address = ?').bind(address).run();
    expect(await textOf(inviting(one.browse, one.members, address))).toContain('The link is on its way to');
  });

  it('a workspace mails 20 invites a day', async () => {
    const { browse, members, owner } = await openMembers();
    for (let index = 0; index < 20; index += 1)
      expect(await textOf(inviting(browse, members, newAddress()))).toContain('The link is on its way to');
    expect(await textOf(inviting(browse, members, newAddress()))).toContain('The link is not mailed to');
    await env.DB.prepare('UPDATE mails SET created_at = created_at - 86400001 WHERE client_id = ?')
      .bind(owner.clientId)
      .run();
    expect(await textOf(inviting(browse, members, newAddress()))).toContain('The link is on its way to');
  });

  it('the form asks for no address while mail is off, and the pages say so', async () => {
    const { owner } = await openMembers();
    const off = openDomainIsolate({ MAIL_FROM: '' });
    const { cookie } = await openBrowser(owner);
    const open = (path: string) => off(path, { headers: { Cookie: cookie } });
    expect(await textOf(open(`/platform/c/${owner.clientId}/members/invite`))).not.toContain('name="address"');
    expect(await textOf(open('/platform/account/mail'))).toContain('This service sends no mail.');
    expect(await textOf(off('/platform/sign-in'))).not.toContain('/platform/forgot');
    expect((await off('/platform/forgot')).status).toBe(404);
  });
});
