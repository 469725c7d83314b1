import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { removePasskey } from '../../../src/accounts/passkeys/passkeys.ts';
import { SoftwarePasskey, type CreationOptions } from '../../support/authenticator.ts';
import { seedCaller } from '../../support/forms.ts';
import { FORMER_RP, seedPasskey } from '../../support/passkeys.ts';
import { browse, form, openBrowser, placeOf, textOf, type Browse } from '../../support/platform.ts';
import { db, rowsOf, type Tenant } from '../../support/seed.ts';
import { call, openIsolate, ORIGIN } from '../../support/service.ts';

const PASSKEYS = '/platform/account/passkeys';

const passkeysOf = async ({ userId }: Pick<Tenant, 'userId'>) =>
  (await rowsOf('passkeys')).filter((row) => row['user_id'] === userId);

const factorOf = ({ userId }: Pick<Tenant, 'userId'>) =>
  env.DB.prepare('SELECT passkeys_are_factor, factor_since IS NOT NULL AS has_factor FROM users WHERE id = ?')
    .bind(userId)
    .first();

/** The options of the button of a page. */
const optionsIn = (page: string) =>
  JSON.parse(/data-passkey="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '{}') as {
    create: CreationOptions;
  };

/** Adds a passkey as a browser does. */
async function add(open: Browse, name: string): Promise<Response> {
  const { create } = optionsIn(await textOf(open(`${PASSKEYS}/new`)));
  const sent = await (await SoftwarePasskey.open()).create(create, ORIGIN);
  return open(`${PASSKEYS}/new`, form({ name, by: 'passkey', passkey_response: sent }));
}

const giveCode = ({ userId }: Pick<Tenant, 'userId'>) =>
  env.DB.prepare(`INSERT INTO recovery_codes (user_id, hash) VALUES (?, 'a hash')`).bind(userId).run();

describe('the page of passkeys', () => {
  it('the account leads to its passkeys, of which there are none at first', async () => {
    const { browse: open } = await openBrowser(await seedCaller());
    expect(await textOf(open('/platform/account'))).toContain(`href="${PASSKEYS}"`);
    const page = await textOf(open(PASSKEYS));
    expect(page).toContain('No passkeys yet');
    expect(page).toContain(`href="${PASSKEYS}/new"`);
    expect(page).not.toContain('Second factor');
  });

  it('passkeys are added by a name, and listed with their host and their last use', async () => {
    const user = await seedCaller();
    const { browse: open } = await openBrowser(user);
    const added = await add(open, 'key <at> work');
    expect(placeOf(added)).toEqual([303, PASSKEYS]);
    expect(placeOf(await add(open, 'phone'))).toEqual([303, PASSKEYS]);
    const page = await textOf(open(PASSKEYS));
    expect(page).toContain('<bdi>key &lt;at&gt; work</bdi>');
    expect(page.match(/Never used/g)).toHaveLength(2);
    expect(page).toContain('<bdi dir="ltr">terse.test</bdi>');
    await env.DB.prepare('UPDATE passkeys SET last_used_at = ? WHERE user_id = ?')
      .bind(Date.now() - 7_200_000, user.userId)
      .run();
    expect(await textOf(open(PASSKEYS))).toMatch(/Last used <time [^>]*>2 hr\. ago<\/time>/);
  });

  it('the name of a new passkey is that of the browser at first, and faults are said beside it', async () => {
    const { browse: open } = await openBrowser(await seedCaller());
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    expect(await textOf(open(`${PASSKEYS}/new`, { headers }))).toContain('value="Firefox on Linux"');
    const refused = await open(`${PASSKEYS}/new`, form({ name: ' ', by: 'passkey', passkey_response: '' }));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('id="fault-name"')]);
  });

  it('a form without a passkey says that scripts have to run', async () => {
    const user = await seedCaller();
    const { browse: open } = await openBrowser(user);
    const refused = await open(`${PASSKEYS}/new`, form({ name: 'phone', by: 'passkey', passkey_response: '' }));
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('The browser has sent no passkey. Scripts have to run for that.'),
    ]);
    expect(await passkeysOf(user)).toEqual([]);
  });

  it('a passkey is refused that another website has sent', async () => {
    const user = await seedCaller();
    const { browse: open } = await openBrowser(user);
    const { create } = optionsIn(await textOf(open(`${PASSKEYS}/new`)));
    const sent = await (await SoftwarePasskey.open()).create(create, ORIGIN);
    const headers = { Origin: 'https://evil.example' };
    const refused = await open(`${PASSKEYS}/new`, form({ name: 'phone', passkey_response: sent }, headers));
    expect(refused.status).toBe(403);
    expect(await passkeysOf(user)).toEqual([]);
  });

  it('a passkey is renamed, and removed after a question', async () => {
    const { user, passkey } = await seedPasskey();
    const { browse: open } = await openBrowser(user);
    const path = `${PASSKEYS}/${passkey.id}`;
    expect(await textOf(open(`${path}/rename`))).toContain('value="phone"');
    const refused = await open(`${path}/rename`, form({ name: 'x'.repeat(65) }));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('id="fault-name"')]);
    expect(placeOf(await open(`${path}/rename`, form({ name: 'laptop' })))).toEqual([303, PASSKEYS]);
    expect((await passkeysOf(user)).map(({ name }) => name)).toEqual(['laptop']);
    expect(await textOf(open(`${path}/remove`))).toContain('Remove the passkey laptop?');
    expect(placeOf(await open(`${path}/remove`, form({})))).toEqual([303, PASSKEYS]);
    expect(await passkeysOf(user)).toEqual([]);
  });

  it('the passkey of another user is not found, and not changed', async () => {
    const [{ passkey, user: owner }, stranger] = [await seedPasskey(), await seedCaller()];
    const { browse: open } = await openBrowser(stranger);
    const path = `${PASSKEYS}/${passkey.id}`;
    for (const each of ['rename', 'remove']) expect((await open(`${path}/${each}`)).status).toBe(404);
    expect((await open(`${path}/rename`, form({ name: 'theirs' }))).status).toBe(404);
    await open(`${path}/remove`, form({}));
    expect((await passkeysOf(owner)).map(({ name }) => name)).toEqual(['phone']);
  });

  it('the pages of passkeys are for signed-in users', async () => {
    for (const path of [PASSKEYS, `${PASSKEYS}/new`, `${PASSKEYS}/factor`])
      expect([path, (await call(path)).status]).toEqual([path, 303]);
  });
});

describe('a session that was not confirmed for ten minutes', () => {
  it('a session that was not confirmed for ten minutes adds and removes no passkey, nor changes what they are for', async () => {
    const { user, session, passkey } = await seedPasskey();
    await giveCode(user);
    const { browse: open } = await openBrowser(user);
    const { create } = optionsIn(await textOf(open(`${PASSKEYS}/new`)));
    const sent = await (await SoftwarePasskey.open()).create(create, ORIGIN);
    const age = (ms: number) =>
      env.DB.prepare('UPDATE token_families SET started_at = ?, confirmed_at = NULL WHERE user_id = ?')
        .bind(Date.now() - ms, user.userId)
        .run();
    await age(10 * 60_000);
    const late = [
      open(`${PASSKEYS}/new`),
      open(`${PASSKEYS}/new`, form({ name: 'new', passkey_response: sent })),
      open(`${PASSKEYS}/${passkey.id}/remove`, form({})),
      open(`${PASSKEYS}/factor`, form({ use: 'on' })),
      open(`${PASSKEYS}/factor`, form({ use: 'off' })),
    ];
    for (const response of await Promise.all(late)) {
      expect(placeOf(response)).toEqual([303, expect.stringMatching('^/platform/confirm[?]next=')]);
    }
    expect((await passkeysOf(user)).map(({ id }) => id)).toEqual([passkey.id]);
    expect(await factorOf(user)).toEqual({ passkeys_are_factor: 0, has_factor: 0 });
    // To read the list and to rename one needs no proof.
    expect((await open(PASSKEYS)).status).toBe(200);
    expect((await open(`${PASSKEYS}/${passkey.id}/rename`, form({ name: 'phone' }))).status).toBe(303);
    await age(9 * 60_000);
    expect((await open(`${PASSKEYS}/new`, form({ name: 'new', passkey_response: sent }))).status).toBe(303);
    await expect(removePasskey(db, session, passkey.id)).resolves.toBeUndefined();
  });
});

describe('where passkeys are offered', () => {
  const openAt = async (origin: string, settings: Record<string, string>) => {
    const { value } = await openBrowser(await seedCaller());
    const isLocal = origin.startsWith('http:');
    const through = openIsolate(settings);
    const cookie = isLocal ? `terse-session=${value}` : `__Host-terse=${value}`;
    return (path: string) => browse(cookie, through)(origin + path);
  };

  it.each([
    ['https://terse.test', {}],
    ['http://localhost:8787', {}],
    ['http://localhost:8787', { PUBLIC_URL: '' }],
  ])('passkeys are offered at %s with %j', async (origin, settings) => {
    const open = await openAt(origin, settings);
    expect(await textOf(open(PASSKEYS))).toContain(`href="${PASSKEYS}/new"`);
    const { create } = optionsIn(await textOf(open(`${PASSKEYS}/new`)));
    expect(create.rp.id).toBe(new URL(origin).hostname);
  });

  it.each([
    ['https://terse.acme.workers.dev', { PUBLIC_URL: '' }, 'the operator of this service has not set its host yet'],
    ['http://127.0.0.1:8787', {}, 'browsers take them only on the host of this service itself'],
    ['http://[::1]:8787', {}, 'browsers take them only on the host of this service itself'],
    ['https://192.0.2.7', { PUBLIC_URL: 'https://192.0.2.7' }, 'browsers take them only on the host'],
  ])('passkeys are not offered at %s with %j, and the page says why', async (origin, settings, reason) => {
    const open = await openAt(origin, settings);
    const page = await textOf(open(PASSKEYS));
    expect(page).toContain(reason);
    expect(page).not.toContain(`href="${PASSKEYS}/new"`);
    expect((await open(`${PASSKEYS}/new`)).status).toBe(404);
    expect((await open('/platform/sign-in/passkey')).status).toBe(404);
    const signIn = await textOf(openIsolate(settings)(`${origin}/platform/sign-in`));
    expect(signIn).not.toContain('passkey');
    expect(signIn).toContain('autocomplete="username"');
  });

  it('a user whose passkeys are of a former host is asked to add one', async () => {
    const { user } = await seedPasskey({ rp: FORMER_RP });
    const page = await textOf((await openBrowser(user)).browse(PASSKEYS));
    expect(page).toContain('Your passkeys belong to a former host of this service. Add one for <bdi>terse.test</bdi>.');
    expect(page).toContain('Former host');
  });
});

describe('passkeys as a second factor', () => {
  it('a password alone begins no session once passkeys are a second factor, and does again when they are none', async () => {
    const { user } = await seedPasskey();
    await giveCode(user);
    const [{ browse: open }, { browse: other }] = [await openBrowser(user), await openBrowser(user)];
    expect(await textOf(open(`${PASSKEYS}/factor`))).toContain('You have 1 recovery code');
    expect(placeOf(await open(`${PASSKEYS}/factor`, form({ use: 'on' })))).toEqual([303, PASSKEYS]);
    expect(await factorOf(user)).toEqual({ passkeys_are_factor: 1, has_factor: 1 });
    // Who knew the password may be signed in there.
    expect((await other('/platform/account')).status).toBe(303);
    await expect(openBrowser(user)).rejects.toEqual(expect.objectContaining({ code: 'invalid_credential' }));
    expect(await textOf(open(PASSKEYS))).toContain('a passkey or a recovery code is needed too');

    expect(await textOf(open(`${PASSKEYS}/factor`))).toContain('Let your password alone sign you in?');
    expect(placeOf(await open(`${PASSKEYS}/factor`, form({ use: 'off' })))).toEqual([303, PASSKEYS]);
    expect(await factorOf(user)).toEqual({ passkeys_are_factor: 0, has_factor: 0 });
    expect((await rowsOf('recovery_codes')).filter((row) => row['user_id'] === user.userId)).toEqual([]);
    await openBrowser(user);
  });

  it('the question says when a program last used the password', async () => {
    const { user } = await seedPasskey();
    const { browse: open } = await openBrowser(user);
    const notice = 'Last time a program got tokens with your own password';
    const use = (at: number | null) =>
      env.DB.prepare('UPDATE users SET basic_used_at = ? WHERE id = ?').bind(at, user.userId).run();
    await use(null);
    expect(await textOf(open(`${PASSKEYS}/factor`))).not.toContain(notice);
    await use(1);
    expect(await textOf(open(`${PASSKEYS}/factor`))).toContain(notice);
  });

  it('passkeys become no second factor without a passkey', async () => {
    const without = await seedCaller();
    expect((await (await openBrowser(without)).browse(`${PASSKEYS}/factor`, form({ use: 'on' }))).status).toBe(404);
    expect(await factorOf(without)).toEqual({ passkeys_are_factor: 0, has_factor: 0 });
  });

  it('passkeys are no second factor once the last one is removed, which the question says', async () => {
    const { user } = await seedPasskey();
    await giveCode(user);
    const { browse: open } = await openBrowser(user);
    await open(`${PASSKEYS}/factor`, form({ use: 'on' }));
    await add(open, 'second');
    const [first, second] = (await passkeysOf(user)).map(({ id }) => String(id));
    expect(await textOf(open(`${PASSKEYS}/${first}/remove`))).not.toContain('your last one');
    await open(`${PASSKEYS}/${first}/remove`, form({}));
    expect(await factorOf(user)).toEqual({ passkeys_are_factor: 1, has_factor: 1 });
    expect(await textOf(open(`${PASSKEYS}/${second}/remove`))).toContain('your last one');
    await open(`${PASSKEYS}/${second}/remove`, form({}));
    expect(await factorOf(user)).toEqual({ passkeys_are_factor: 0, has_factor: 0 });
  });

  it('an authenticator app stays a second factor where passkeys are none', async () => {
    const { user } = await seedPasskey();
    await giveCode(user);
    const { browse: open } = await openBrowser(user);
    await open(`${PASSKEYS}/factor`, form({ use: 'on' }));
    await env.DB.prepare(`INSERT INTO totp_seeds (user_id, seed, created_at) VALUES (?, 'seed', 1)`)
      .bind(user.userId)
      .run();
    const alone = 'Your password alone signs you in too.';
    await open(`${PASSKEYS}/factor`, form({ use: 'off' }));
    expect(await factorOf(user)).toEqual({ passkeys_are_factor: 0, has_factor: 1 });
    const page = await textOf(open(PASSKEYS));
    expect([page.includes(alone), page.includes('a code of your app or a recovery code')]).toEqual([false, true]);
    expect((await rowsOf('recovery_codes')).filter((row) => row['user_id'] === user.userId)).toHaveLength(1);
  });

  it('a user without recovery codes gets ten with the second factor, which are shown once', async () => {
    const { user } = await seedPasskey();
    const { browse: open } = await openBrowser(user);
    const page = await textOf(open(`${PASSKEYS}/factor`, form({ use: 'on' })));
    const codes = page.match(/[0-9a-z]{4}(?:-[0-9a-z]{4}){3}/g) ?? [];
    expect(new Set(codes).size).toBe(10);
    expect(page).toContain('<h1>Two-step sign-in is on</h1>');
    const factors = await textOf(open('/platform/account/factors'));
    expect(factors).toContain('a passkey or a recovery code is needed too.');
    expect(factors).toContain(`href="${PASSKEYS}"`);
    expect(await factorOf(user)).toEqual({ passkeys_are_factor: 1, has_factor: 1 });
    expect((await rowsOf('recovery_codes')).filter((row) => row['user_id'] === user.userId)).toHaveLength(10);
    expect(placeOf(await open(`${PASSKEYS}/factor`, form({ use: 'on' })))).toEqual([303, PASSKEYS]);
  });
});
