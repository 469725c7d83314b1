import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openDomainIsolate } from '../support/domains.ts';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { accept } from '../support/invites.ts';
import { linkIn, mailsOf, sendThrough } from '../support/mail.ts';
import { answer, ask } from '../support/management.ts';

const newEmail = () => `${crypto.randomUUID()}@mail.example`;

interface Created {
  readonly id: string;
  readonly url: string;
  readonly mailed: boolean;
}

const inviteTo = async (owner: Caller, email: string): Promise<Created> =>
  answer<Created>(await ask(owner, 'POST', '/v1/invites', { email }), 201);

const countOf = async ({ clientId }: Caller) =>
  env.DB.prepare('SELECT count(*) AS count FROM invites WHERE client_id = ?').bind(clientId).first('count');

describe('an invite of the API with an e-mail address', () => {
  it('an invite is mailed with the link of the response, in the language of the owner, and can be accepted', async () => {
    const [owner, guest, email] = [await seedCaller(), await seedCaller(), newEmail()];
    await env.DB.prepare(`UPDATE users SET language = 'fr' WHERE id = ?`).bind(owner.userId).run();
    const { url, mailed } = await inviteTo(owner, ` ${email} `);
    expect(mailed).toBe(true);
    const [sent] = await sendThrough(await mailsOf('invite', email));
    expect(sent?.mail).toMatchObject({ to: [email], subject: 'Invitation à un espace de travail' });
    expect(`https://terse.test${linkIn(sent!.mail)}`).toBe(url);
    expect((await accept(guest, url.split('/').at(-1) ?? '')).status).toBe(201);
  });

  it('an invite without an address says that it is not mailed', async () => {
    const owner = await seedCaller();
    expect(await answer(await ask(owner, 'POST', '/v1/invites', {}), 201)).toMatchObject({ mailed: false });
    const mails = await env.DB.prepare('SELECT id FROM mails WHERE client_id = ?').bind(owner.clientId).all();
    expect(mails.results).toEqual([]);
  });

  it.each(['ann', 'a@b.example\r\nBcc: c@d.example', 7, null])('the address %j creates no invite', async (email) => {
    const owner = await seedCaller();
    const refused = await ask(owner, 'POST', '/v1/invites', { email });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringMatching(/^invalid_email: email must be /) }),
    ]);
    expect(await countOf(owner)).toBe(0);
  });

  it('one address gets three invites a week from all clients, and a client mails 20 a day', async () => {
    const [one, another, email] = [await seedCaller(), await seedCaller(), newEmail()];
    for (const owner of [one, another, one]) expect((await inviteTo(owner, email)).mailed).toBe(true);
    const late = await inviteTo(another, email.toUpperCase());
    expect([late.mailed, late.url]).toEqual([false, expect.stringMatching(/\/platform\/invite\/\w{43}$/)]);
    for (let index = 2; index < 20; index += 1) expect((await inviteTo(one, newEmail())).mailed).toBe(true);
    expect((await inviteTo(one, newEmail())).mailed).toBe(false);
    expect((await inviteTo(another, newEmail())).mailed).toBe(true);
  });

  it('a service that sends no mail refuses an address, and creates no invite', async () => {
    const owner = await seedCaller();
    const off = openDomainIsolate({ MAIL_FROM: '' });
    const post = (body: object) =>
      off('/v1/invites', {
        method: 'POST',
        headers: { ...bearerOf(owner), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const error = 'mail_off: This service sends no mail. Leave out email, and pass the link on.';
    await expectFailure(await post({ email: newEmail() }), 409, error);
    expect(await countOf(owner)).toBe(0);
    expect(await answer(await post({}), 201)).toMatchObject({ mailed: false });
  });

  it('a member who is no owner has no invite mailed', async () => {
    const [owner, guest, email] = [await seedCaller(), await seedCaller(), newEmail()];
    const { url } = await inviteTo(owner, newEmail());
    await accept(guest, url.split('/').at(-1) ?? '');
    const refused = await ask(guest, 'POST', `/v1/invites?client_id=${owner.clientId}`, { email });
    expect(refused.status).toBe(403);
    expect(await mailsOf('invite', email)).toEqual([]);
  });
});
