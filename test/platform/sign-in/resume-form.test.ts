import { describe, expect, it } from 'vitest';
import { contentOfTables, db, rowsOf, seedTenant, signIn, type Tenant } from '../../support/seed.ts';
import { addMember } from '../../../src/accounts/operator.ts';
import { newAddress } from '../../support/address.ts';
import { seedCaller } from '../../support/forms.ts';
import { ownOf } from '../../support/own-values.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { browse, cookiesOf, form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { call, ORIGIN } from '../../support/service.ts';

/** Forms that are sent after their session has expired. */

interface Scene {
  readonly tenant: Tenant;
  readonly path: string;
  /** Sends a form without a session, and returns what asks to sign in. */
  readonly sendSignedOut: (path: string, fields: Readonly<Record<string, string>>) => Promise<Response>;
  /** Signs in by that page. */
  readonly signInOn: (page: string, tenant?: Tenant, password?: string) => Promise<Response>;
}

async function openScene(): Promise<Scene> {
  const tenant = await seedTenant();
  return {
    tenant,
    path: `/platform/c/${tenant.clientId}`,
    sendSignedOut: (path, fields) => call(path, form({ typed_by: tenant.userId, ...fields })),
    signInOn: (page, { userName, password: right, address } = tenant, password = right) => {
      const [, action = ''] = /<form class="form" method="post" action="([^"]+)"/.exec(page) ?? [];
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...pageFieldsOf(page), name: userName, password }))
        body.set(name, value);
      return call(action, { method: 'POST', body, headers: { Origin: ORIGIN, 'CF-Connecting-IP': address } });
    },
  };
}

const rowsOfClient = async (table: string, { clientId }: Tenant) =>
  (await rowsOf(table)).filter((row) => row['client_id'] === clientId);

const sessionOf = (response: Response) => cookiesOf(response)['__Host-terse']?.[0] ?? '';

describe('a form that was sent after its session had ended', () => {
  it('a form that was sent after its session had ended is shown again after the sign-in with all that was typed, and saves nothing until it is sent again', async () => {
    const { tenant, path, sendSignedOut, signInOn } = await openScene();
    const typed = {
      url: 'https://example.com/a?b=c&d=é',
      slug: 'kept',
      comments: 'two\r\nlines <b>"\'',
      password: 'hush hush',
    };
    const asked = await sendSignedOut(`${path}/links/new`, { ...typed, utm_source: 'news', rules: '0', variants: '0' });
    const page = await asked.text();
    expect([asked.status, page.includes('<h1>Sign in</h1>'), page.includes('hush')]).toEqual([401, true, false]);
    expect(page).toContain('You were signed out. Sign in to continue with what you typed. Nothing has been saved yet.');

    const shown = await signInOn(page);
    const again = await shown.text();
    expect([shown.status, sessionOf(shown)]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)]);
    expect(again).toContain('<h1>A new short link</h1>');
    expect(again).toContain('You are signed in again. Nothing has been saved yet: check the form, and send it again.');
    expect(again).toContain('Password: Enter this again: passwords are not kept.');
    const { password: _, ...kept } = typed;
    const fields = pageFieldsOf(again);
    expect(fields).toMatchObject({ ...kept, utm_source: 'news' });
    expect(await rowsOfClient('links', tenant)).toEqual([]);

    const made = await browse(`__Host-terse=${sessionOf(shown)}`)(
      `${path}/links/new`,
      form({ ...fields, password: '' }),
    );
    expect(made.status).toBe(303);
    expect(await rowsOfClient('links', tenant)).toMatchObject([
      { slug: 'kept', url: expect.stringContaining('utm_source=news'), user_id: tenant.userId },
    ]);
  });

  it('a form that was sent after its session had ended is shown as the whole form, if a link was typed into an empty list', async () => {
    const { tenant, path, sendSignedOut, signInOn } = await openScene();
    const typed = { url: 'https://example.com/quick', slug: 'kept-line' };
    const again = await textOf(signInOn(await textOf(sendSignedOut(`${path}/links`, typed))));
    expect(again).toContain('<h1>A new short link</h1>');
    expect(pageFieldsOf(again)).toMatchObject(typed);
    expect(await rowsOfClient('links', tenant)).toEqual([]);
    const { browse: open } = await openBrowser(tenant);
    expect(await textOf(open(`${path}/links`))).toContain(`name="typed_by" value="${tenant.userId}"`);
  });

  it('a form that was sent after its session had ended waits for the right password', async () => {
    const { tenant, path, sendSignedOut, signInOn } = await openScene();
    const page = await textOf(sendSignedOut(`${path}/domains/new`, { host: 'kept.example' }));
    const refused = await signInOn(page, tenant, 'wrong');
    const asked = await refused.text();
    expect([refused.status, sessionOf(refused)]).toEqual([401, '']);
    expect(asked).toContain('The user name or the password is wrong.');
    expect(await textOf(signInOn(asked))).toContain('value="kept.example"');
    expect(await rowsOfClient('domains', tenant)).toEqual([]);
  });

  it('a form that was sent after its session had ended is not shown to another user, not even one of the same workspace', async () => {
    const { tenant, path, sendSignedOut, signInOn } = await openScene();
    const other = await seedTenant();
    await addMember(db, other.userName, tenant.clientId);
    const page = await textOf(sendSignedOut(`${path}/links/new`, { url: 'https://example.com/private' }));
    const answer = await signInOn(page, other);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/platform']);
    expect(await answer.text()).not.toContain('private');
    expect(sessionOf(answer)).not.toBe('');
  });

  it('a form that was sent after its session had ended is not shown where its user is no longer a member', async () => {
    const { path, sendSignedOut, signInOn } = await openScene();
    const stranger = await seedCaller();
    const page = await textOf(
      sendSignedOut(`/platform/c/${stranger.clientId}/links/new`, { url: 'https://example.com/' }),
    );
    expect(path).not.toContain(stranger.clientId);
    expect((await signInOn(page)).status).toBe(404);
  });

  it('a form that was sent after its session had ended leads to the sign-in alone if it does not say whose it is', async () => {
    const { path } = await openScene();
    const answer = await call(`${path}/links/new`, form({ url: 'https://example.com/' }));
    expect(placeOf(answer)).toEqual([303, '/platform/sign-in']);
    expect(cookiesOf(answer)).toEqual({});
  });

  it.each([
    ['48 KiB', 50_000],
    ['what any form can have', 70_000],
  ])(
    'a form that was sent after its session had ended says on the page of the sign-in that it was not kept if it is longer than %s',
    async (_, characters) => {
      const { tenant, path, sendSignedOut } = await openScene();
      const typed = { url: 'https://example.com/', comments: 'x'.repeat(characters) };
      const answer = await sendSignedOut(`${path}/links/new`, typed);
      expect(placeOf(answer)).toEqual([303, '/platform/sign-in']);
      const [flash = ''] = cookiesOf(answer)['__Host-terse-flash'] ?? [];
      const page = await textOf(browse(`__Host-terse-flash=${flash}`)('/platform/sign-in'));
      expect(page).toContain(
        'what you sent was too long to be kept. Nothing has been saved. Sign in and enter it again.',
      );
      expect(page).toContain('class="notice warning"');
      expect(await rowsOfClient('links', tenant)).toEqual([]);
    },
  );

  it('a form that was sent after its session had ended is not signed in from another site, nor by a text that no page has', async () => {
    const { tenant, path, sendSignedOut } = await openScene();
    const { typed = '' } = pageFieldsOf(
      await textOf(sendSignedOut(`${path}/links/new`, { url: 'https://example.com/' })),
    );
    const send = (Origin: string, text: string) => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ name: tenant.userName, password: tenant.password, typed: text }))
        body.set(name, value);
      return call(`${path}/links/new?sign-in`, {
        method: 'POST',
        body,
        headers: { Origin, 'CF-Connecting-IP': tenant.address },
      });
    };
    const foreign = await send('https://evil.example', typed);
    expect([foreign.status, sessionOf(foreign)]).toEqual([403, '']);
    for (const text of [
      '',
      '{',
      '[]',
      '{"by":1,"texts":[],"passwords":[]}',
      '{"by":"x","texts":[["a"]],"passwords":[]}',
    ]) {
      const answer = await send(ORIGIN, text);
      expect([text, answer.status, sessionOf(answer)]).toEqual([text, 400, '']);
    }
  });
});

it('no form that can be shown again does anything when it is', async () => {
  const { tenant, path, sendSignedOut, signInOn } = await openScene();
  const { access_token: accessToken, api_token: apiToken } = await signIn(tenant);
  const own = await ownOf({ ...tenant, accessToken, apiToken });
  const { browse: signedIn } = await openBrowser(tenant);
  const pages = ['/links/new', `/links/${own['link']}/edit`, '/keys/new', `/keys/${own['key_id']}`, '/domains/new'];
  const more = [`/domains/${own['domain']}`, '/members/invite', `/members/${tenant.userId}`];
  const actions = new Map<string, Record<string, string>>();
  for (const below of [
    ...[...pages, ...more].map((page) => `${path}${page}`),
    '/platform/account',
    '/platform/account/passwords/new',
  ]) {
    const page = await textOf(signedIn(below));
    for (const [text, action = ''] of page.matchAll(/<form class="form" method="post" action="([^"]+)".*?<\/form>/gs))
      if (text.includes('name="typed_by"')) actions.set(action, pageFieldsOf(text));
  }
  expect(actions.size).toBeGreaterThanOrEqual(12);
  const before = await contentOfTables();
  for (const [action, fields] of actions) {
    const changed = {
      ...fields,
      name: 'changed',
      title: 'changed',
      host: 'changed.example',
      tz: 'Europe/Vienna',
      role: 'member',
    };
    const only = Object.fromEntries(Object.entries(changed).filter(([name]) => name in fields));
    const shown = await signInOn(await textOf(sendSignedOut(action, only)), { ...tenant, address: newAddress() });
    expect([action, shown.status, (await shown.text()).includes('You are signed in again.')]).toEqual([
      action,
      200,
      true,
    ]);
  }
  const { sessions: _s, token_families: _f, sign_ins: _i, ...after } = await contentOfTables();
  expect(after).toEqual(Object.fromEntries(Object.entries(before).filter(([name]) => name in after)));
});
