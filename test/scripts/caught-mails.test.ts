import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { catchMails } from '../../scripts/caught-mails.ts';
import { makeFolder } from './support/processes.ts';

const MAIL = {
  from: '"Terse" <terse@localhost>',
  to: ['ann@mail.example'],
  subject: 'A <b>subject</b>',
  text: 'A text',
  html: '<!doctype html><html><head></head><body>A text</body></html>',
};

const opened: Awaited<ReturnType<typeof catchMails>>[] = [];
afterEach(() => {
  for (const mails of opened.splice(0)) mails.close();
});

async function open() {
  const folder = makeFolder();
  const mails = await catchMails(folder, 'http://localhost:8787');
  opened.push(mails);
  const send = (body: unknown, token = mails.settings.MAIL_TOKEN) =>
    fetch(mails.settings.MAIL_URL, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { ...mails, send, folder: join(folder, 'mails') };
}

describe('the mails of a local service', () => {
  it('a mail is kept as files that only their owner can read, and shown by a page', async () => {
    const { page, send, folder, settings } = await open();
    expect(settings).toMatchObject({ MAIL_FROM: 'terse@localhost', MAIL_ORIGIN: 'http://localhost:8787' });
    expect(await (await fetch(page)).text()).toContain('There is none yet.');
    const sent = await send(MAIL);
    expect(sent.status).toBe(200);
    const { id } = (await sent.json()) as { readonly id: string };
    expect(readdirSync(folder).toSorted()).toEqual([`${id}.html`, `${id}.json`, `${id}.txt`]);
    expect(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'))).toEqual(MAIL);
    expect(statSync(join(folder, `${id}.txt`)).mode & 0o077).toBe(0);
    const list = await fetch(page);
    const shown = await list.text();
    expect(list.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(shown).toContain('<b>A &#60;b&#62;subject&#60;/b&#62;</b> to ann@mail.example');
    expect(shown).toContain(`<iframe src="${id}.html"`);
    expect(await (await fetch(`${page}${id}.txt`)).text()).toBe('A text');
    expect(await (await fetch(`${page}${id}.html`)).text()).toContain('A text');
  });

  it('mails are shown only at the path of the page, and at no other one', async () => {
    const { page, send } = await open();
    const { id } = (await (await send(MAIL)).json()) as { readonly id: string };
    for (const path of ['/', `/${id}.txt`, '/emails', '//', `/x${new URL(page).pathname}`])
      expect([path, (await fetch(new URL(page).origin + path)).status]).toEqual([path, 404]);
  });

  it('nothing is taken without the token, and nothing that is no mail', async () => {
    const { send, page, folder } = await open();
    expect((await send(MAIL, 'wrong')).status).toBe(401);
    expect((await send({ ...MAIL, to: 'ann' })).status).toBe(422);
    expect((await fetch(`${page}..%2f..%2fpackage.json`)).status).toBe(404);
    expect((await fetch(page, { method: 'DELETE' })).status).toBe(405);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });
});
