import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { bytesOf } from '../support/event-streams.ts';
import { seedCaller } from '../support/forms.ts';
import { fill } from '../support/fuzz.ts';
import { toRequest } from '../support/fuzz-bent.ts';
import { FUZZED_PAGES } from '../support/fuzz-every-page.ts';
import { formOfMany, statusesOf } from '../support/link-lists.ts';
import { ownOf } from '../support/own-values.ts';
import { pageFieldsOf } from '../support/page-fields.ts';
import { cookiesOf, form, openBrowser, openLinks, placeOf, textOf, type LinksScene } from '../support/platform.ts';
import { db, seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';

/** Links and redirects that spare a user a second search. */

afterEach(() => {
  vi.restoreAllMocks();
});

/** Opens the page that an answer leads to, with the sentence that the answer has left. */
async function goOn({ cookie }: LinksScene, answer: Response): Promise<{ path: string; page: string }> {
  const path = answer.headers.get('Location') ?? '';
  const flash = cookiesOf(answer)['__Host-terse-flash']?.[0];
  const page = await textOf(call(path, { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
  return { path, page };
}

const saidOn = (page: string) => /<div class="notice success" role="status">([^<]+)</.exec(page)?.[1];

/** Presses Undo on a page, and opens the page that it leads to. */
async function undo(scene: LinksScene, page: string) {
  const [, part = ''] = /(<form method="post" action="[^"]+\/selected">.*?<\/form>)/s.exec(page) ?? [];
  const { do: action = '', to = '' } = pageFieldsOf(part);
  const init = formOfMany(
    action,
    [...part.matchAll(/name="id" value="([^"]+)"/g)].map(([, id = '']) => id),
  );
  (init.body as URLSearchParams).set('to', to);
  return goOn(scene, await scene.browse(`${scene.path}/selected`, init));
}

describe('an undo', () => {
  it('an undo leads to the list as it was filtered, and says of how many links', async () => {
    const scene = await openLinks();
    const ids = [(await seedLink(scene.caller)).id, (await seedLink(scene.caller)).id];
    for (const [some, said] of [
      [ids, 'The links work again.'],
      [ids.slice(0, 1), 'The link works again.'],
    ] as const) {
      const done = await scene.browse(`${scene.path}/selected`, formOfMany('disable', some, 'q=example&state=active'));
      const list = await goOn(scene, done);
      expect(list.path).toBe(`${scene.path}?q=example&state=active`);
      const undone = await undo(scene, list.page);
      expect([undone.path, saidOn(undone.page)]).toEqual([list.path, said]);
      expect(await statusesOf(ids)).toEqual([302, 302]);
    }
  });

  it('an undo leads to the page of the link on which it was disabled or deleted', async () => {
    const scene = await openLinks();
    const { id } = await seedLink(scene.caller);
    for (const [action, said] of [
      ['disable', 'The link works again.'],
      ['delete', 'The link has been restored.'],
    ]) {
      const next = await goOn(scene, await scene.browse(`${scene.path}/${id}/${action}`, form({})));
      const undone = await undo(scene, next.page);
      expect([undone.path, saidOn(undone.page)]).toEqual([`${scene.path}/${id}`, said]);
      expect(await statusesOf([id])).toEqual([302]);
    }
  });

  it.each(['https://evil.example/', '//evil.example/platform', '/some-slug', 'javascript:alert(1)'])(
    'an undo does not lead to %s',
    async (to) => {
      const { caller, browse, path } = await openLinks();
      const init = formOfMany('disable', [(await seedLink(caller)).id]);
      (init.body as URLSearchParams).set('to', to);
      expect(placeOf(await browse(`${path}/selected`, init))).toEqual([303, '/platform']);
    },
  );
});

it('a list offers what can be done with some of its links', async () => {
  const { caller, browse, path } = await openLinks();
  const [first, second] = [await seedLink(caller), await seedLink(caller)];
  const offered = async (query = '') =>
    [...(await textOf(browse(`${path}${query}`))).matchAll(/name="do" value="(\w+)"/g)].map(([, action]) => action);
  expect(await offered()).toEqual(['campaign', 'tag', 'expiry', 'disable', 'delete']);
  await browse(`${path}/${first.id}/disable`, form({}));
  expect(await offered()).toEqual(['campaign', 'tag', 'expiry', 'disable', 'enable', 'delete']);
  await browse(`${path}/${second.id}/disable`, form({}));
  expect(await offered()).toEqual(['campaign', 'tag', 'expiry', 'enable', 'delete']);
  await browse(`${path}/${second.id}/delete`, form({}));
  expect(await offered('?state=deleted')).toEqual(['restore']);
});

it('an edit of a link that was edited meanwhile shows one notice, with both values', async () => {
  const { caller, browse, path } = await openLinks();
  const { id } = await seedLink(caller);
  const fields = pageFieldsOf(await textOf(browse(`${path}/${id}/edit`)));
  await browse(`${path}/${id}/edit`, form({ ...fields, campaign_name: 'Theirs' }));
  const late = await browse(`${path}/${id}/edit`, form({ ...fields, title: 'Mine' }));
  const page = await late.text();
  expect([late.status, page.match(/class="notice/g)?.length]).toEqual([412, 1]);
  expect(page).toContain('<h2>This link was changed in the meantime</h2>');
  expect(page).toContain('<li>Campaign: <code>Theirs</code></li>');
});

describe('an error that passes by itself', () => {
  const leadsTo = (page: string) => /<a class="button primary" href="([^"]+)"[^>]*>([^<]+)</.exec(page)?.slice(1);

  it('an error that passes by itself leads to the page that was asked for, or to the page of the form', async () => {
    const { browse, path } = await openLinks();
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is down'));
    const page = await textOf(browse(`${path}?q=a&state=active`));
    expect(leadsTo(page)).toEqual([`${path}?q=a&amp;state=active`, 'Try again']);
    expect(page).not.toMatch(/What you typed|keep what you typed/);
    const sent = (Referer: string) => textOf(browse(`${path}/new`, form({ url: 'x' }, { Referer })));
    expect(leadsTo(await sent(`https://terse.test${path}/new?a=b`))).toEqual([`${path}/new?a=b`, 'Go back']);
    for (const elsewhere of ['https://evil.example/platform/x', '', 'nonsense'])
      expect(leadsTo(await sent(elsewhere))).toBeUndefined();
    expect(leadsTo(await sent('https://terse.test/some-slug'))).toEqual(['/platform', 'Go back']);
  });
});

it('the switcher leads to the same page of another workspace, or else to the first of its section', async () => {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const [owned, joined] = [`${caller.clientId}-a`, `${caller.clientId}-b`];
  for (const clientId of [owned, joined]) await addMember(db, caller.userName, clientId);
  await env.DB.prepare(`UPDATE members SET role = 'member' WHERE client_id = ?`).bind(joined).run();
  for (const [at, inOwned, inJoined] of [
    ['', '', ''],
    ['/links', '/links', '/links'],
    ['/links/files', '/links', '/links'],
    ['/keys/new', '/keys', '/keys'],
    ['/members', '/members', '/tags'],
    ['/audit', '/audit', '/tags'],
    ['/domains/new', '/domains', '/domains'],
  ]) {
    const page = await textOf(browse(`/platform/c/${caller.clientId}${at}`));
    expect([at, page.includes(`href="/platform/c/${owned}${inOwned}"><bdi>${owned}<`)]).toEqual([at, true]);
    expect([at, page.includes(`href="/platform/c/${joined}${inJoined}"><bdi>${joined}<`)]).toEqual([at, true]);
  }
  expect(await textOf(browse('/platform/account'))).toContain(`href="/platform/c/${owned}"><bdi>${owned}<`);
});

it('no page shows commands that only the operator can run, but for the text of a domain to send to the operator', async () => {
  const own = await ownOf(await seedCaller());
  for (const page of FUZZED_PAGES.filter(({ method }) => method === 'GET')) {
    const { method, path, headers } = fill(toRequest(page, Object.entries(page.fields)), own);
    const text = new TextDecoder().decode(await bytesOf(await call(path, { method, headers })));
    const sent = text.replaceAll(/<code id="operator-text">.*?<\/code>/gs, '');
    expect([page.path, sent.includes('npm run')]).toEqual([page.path, false]);
  }
  expect(await textOf(call('/platform/sign-in'))).not.toContain('npm run');
});

it.each([
  ['Sale-2026', `attachment; filename="qr-Sale-2026.svg"`],
  ['größe', `attachment; filename="qr-gr__e.svg"; filename*=UTF-8''qr-gr%C3%B6%C3%9Fe.svg`],
])('the QR code of %s is saved under that name', async (slug, disposition) => {
  const { caller, browse, path } = await openLinks();
  const { id } = await seedLink(caller, { slug: slug });
  const file = await browse(`${path}/${id}/qr.svg?download=true`);
  expect(file.headers.get('Content-Disposition')).toBe(disposition);
});
