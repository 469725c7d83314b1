import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seedCaller } from '../../support/forms.ts';
import { browse, cookiesOf, form, openBrowser, signInBy } from '../../support/platform.ts';
import { seedTenant, type Tenant } from '../../support/seed.ts';

const changeOf = (tenant: Tenant, fields: Record<string, string> = {}) =>
  form(
    {
      current_password: tenant.password,
      new_password: 'correct horse',
      new_password_again: 'correct horse',
      ...fields,
    },
    { 'CF-Connecting-IP': tenant.address },
  );

// `create_token` would never check it as the password of the account.
const OF_A_PROGRAM = `ap_${'a'.repeat(12)}_${'b'.repeat(43)}`;

describe('changing the password', () => {
  it('changing the password ends every session, and this browser gets a new one, and says so once', async () => {
    const tenant = await seedTenant();
    const [here, there] = [await openBrowser(tenant), await openBrowser(tenant)];
    const response = await here.browse('/platform/account/password', changeOf(tenant));
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/platform/account']);
    const { '__Host-terse': session, '__Host-terse-flash': flash } = cookiesOf(response);
    expect(session?.[0]).not.toBe(here.value);
    expect((await here.browse('/platform/account')).status).toBe(303);
    expect((await there.browse('/platform/account')).status).toBe(303);

    const next = await browse(`__Host-terse=${session?.[0]}; __Host-terse-flash=${flash?.[0]}`)('/platform/account');
    expect(await next.text()).toContain(
      'role="status">Your password has been changed. You were signed out everywhere else, your tokens were revoked, and ' +
        'connected applications were disconnected.',
    );
    expect(cookiesOf(next)['__Host-terse-flash']).toContain('Max-Age=0');
    expect((await signInBy(tenant, 'correct horse')).status).toBe(303);
    expect((await signInBy(tenant, tenant.password)).status).toBe(401);
  });

  it.each<[field: string, sentence: string, fields: Record<string, string>]>([
    ['current_password', 'This is not your current password.', { current_password: 'a wrong guess' }],
    ['current_password', 'This is required.', { current_password: '' }],
    [
      'new_password',
      'This must be at least 8 characters long.',
      { new_password: 'short', new_password_again: 'short' },
    ],
    [
      'new_password',
      'This must not contain control characters.',
      { new_password: 'a\tb c d e f', new_password_again: 'a\tb c d e f' },
    ],
    [
      'new_password',
      'This must not have the form of an application password.',
      { new_password: OF_A_PROGRAM, new_password_again: OF_A_PROGRAM },
    ],
    ['new_password_again', 'This must be the same as the new password.', { new_password_again: 'correct house' }],
  ])('changing the password says beside %s: %s', async (field, sentence, fields) => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    const response = await browse('/platform/account/password', changeOf(tenant, fields));
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(`id="fault-${field}">${sentence}</p>`);
    for (const value of Object.values(fields)) if (value !== '') expect(page).not.toContain(value);
    expect((await browse('/platform/account')).status).toBe(200);
    expect((await signInBy(tenant, tenant.password)).status).toBe(303);
  });
});

describe('the time zone', () => {
  it('the time zone is kept, and times are shown in it and name it', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    await env.DB.prepare(`UPDATE token_families SET started_at = ? WHERE user_id = ?`)
      .bind(Date.parse('2026-11-21T14:30:00Z'), caller.userId)
      .run();
    const before = await (await browse('/platform/account')).text();
    expect(before).toContain('<time datetime="2026-11-21T14:30:00.000Z">21 Nov 2026, 14:30 UTC</time>');
    expect((await browse('/platform/account/time-zone', form({ tz: 'Asia/Kathmandu' }))).status).toBe(303);
    const after = await (await browse('/platform/account')).text();
    expect(after).toContain('<option value="Asia/Kathmandu" selected="">Asia/Kathmandu</option>');
    expect(after).toContain('<time datetime="2026-11-21T14:30:00.000Z">21 Nov 2026, 20:15 GMT+5:45</time>');
  });

  it.each(['Nowhere/Else', '+05:30', '<b>'])('the time zone is not %s', async (tz) => {
    const { browse } = await openBrowser(await seedCaller());
    const response = await browse('/platform/account/time-zone', form({ tz }));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      'id="fault-tz">This must be the name of a time zone, such as Europe/Paris.</p>',
    );
  });
});

describe('sessions', () => {
  const idOf = (page: string) => /\/platform\/account\/sessions\/([0-9a-f-]{36})\/end/.exec(page)?.[1] ?? '';

  it('the sessions of a user are listed, and another one is ended after a confirmation', async () => {
    const caller = await seedCaller();
    const [here, there] = [await openBrowser(caller), await openBrowser(caller)];
    const account = await (await here.browse('/platform/account')).text();
    expect(account.match(/Firefox on Linux/g)).toHaveLength(3);
    // The other one was seen last.
    expect(account.indexOf('This browser')).toBeLessThan(account.indexOf('End the session of'));
    const path = `/platform/account/sessions/${idOf(account)}/end`;

    const asked = await here.browse(path);
    expect(await asked.text()).toContain('<h1>End this session?</h1>');
    expect((await there.browse('/platform/account')).status).toBe(200);

    const ended = await here.browse(path, form({}));
    expect([ended.status, ended.headers.get('Location')]).toEqual([303, '/platform/account']);
    expect((await there.browse('/platform/account')).status).toBe(303);
    expect((await here.browse('/platform/account')).status).toBe(200);
  });

  it('the sessions of another user are not found, and not ended', async () => {
    const [stranger, caller] = [await seedCaller(), await seedCaller()];
    const [theirs] = [await openBrowser(stranger), await openBrowser(stranger)];
    const path = `/platform/account/sessions/${idOf(await (await theirs.browse('/platform/account')).text())}/end`;
    const { browse } = await openBrowser(caller);
    expect((await browse(path)).status).toBe(404);
    await browse(path, form({}));
    expect((await (await theirs.browse('/platform/account')).text()).match(/Firefox on Linux/g)).toHaveLength(3);
  });

  it('the sessions of a user end, except this one', async () => {
    const caller = await seedCaller();
    const [here, there, elsewhere] = [await openBrowser(caller), await openBrowser(caller), await openBrowser(caller)];
    expect(await (await here.browse('/platform/account/sessions/others/end')).text()).toContain(
      'Sign out all other browsers?',
    );
    expect((await here.browse('/platform/account/sessions/others/end', form({}))).status).toBe(303);
    expect((await there.browse('/platform/account')).status).toBe(303);
    expect((await elsewhere.browse('/platform/account')).status).toBe(303);
    expect((await here.browse('/platform/account')).status).toBe(200);
  });
});

describe('what a page says once', () => {
  it('a sentence that a page says once is never a text of the browser', async () => {
    const { cookie } = await openBrowser(await seedCaller());
    const page = await browse(`${cookie}; __Host-terse-flash=toString`)('/platform/account');
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain('class="notice');
  });
});
