import { describe, expect, it } from 'vitest';
import { historyOf, openPagesOfLink, optionsOf, storedOf } from '../../support/link-pages.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { form, openLinks, textOf } from '../../support/platform.ts';
import { seedDomain } from '../../support/seed.ts';

/** The other options of a link in its forms. */

describe('the options of a link', () => {
  it('the options of a link are closed, and say in words what is set', async () => {
    const closed = await openPagesOfLink();
    const unset = {
      'Campaign and tags': ['closed', 'None'],
      UTM: ['closed', 'None'],
      Rules: ['closed', 'None'],
      'A/B test': ['closed', 'Off'],
      'Start and end': ['closed', 'Never ends'],
      Password: ['closed', 'None'],
      Preview: ['closed', 'As on the page'],
      App: ['closed', 'No fallback'],
      Redirect: ['closed', 'As usual'],
      Comments: ['closed', 'None'],
      'For developers': ['closed', 'Secondary ID'],
    };
    expect(optionsOf(await closed.open())).toEqual(unset);
    const used = await openPagesOfLink({
      campaign_name: 'Spring sale',
      tags: ['Paid', 'Social'],
      url: 'https://example.com/?utm_source=instagram&utm_medium=social',
      rules: [{ name: 'AT', if: [{ type: 'country', in: ['AT'] }], url: 'https://example.com/at' }],
      variants: [
        { name: 'A', url: 'https://example.com/a', weight: 30 },
        { name: 'B', url: 'https://example.com/b', weight: 70 },
      ],
      expires_at: '2099-03-01T12:00:00Z',
      max_clicks: 5000,
      password: 'open sesame',
      ask_first: true,
      preview: { title: 'Sale', image: 'https://example.com/a.png' },
      redirect_status: 301,
      inspectable: false,
      comments: 'For the shop\nin Linz',
      external_id: 'p-1',
    });
    expect(optionsOf(await used.open())).toEqual({
      ...unset,
      'Campaign and tags': ['closed', 'Spring sale · Paid, Social'],
      UTM: ['closed', 'instagram / social'],
      Rules: ['closed', '1 rule'],
      'A/B test': ['closed', 'A 30% · B 70%'],
      'Start and end': ['closed', 'expires 1 Mar 2099 · after 5,000 clicks'],
      Password: ['closed', 'Asks for it · asks first'],
      Preview: ['closed', 'Sale · image'],
      Redirect: ['closed', '301 · destination not visible'],
      Comments: ['closed', 'For the shop'],
      'For developers': ['closed', 'Secondary ID · External ID'],
    });
    const byDefault = await openPagesOfLink({ redirect_status: 302, inspectable: true });
    expect(optionsOf(await byDefault.open())).toEqual(unset);
  });

  it('the words of the options follow what is typed, before it is saved', async () => {
    const { open, path, browse } = await openPagesOfLink();
    const typed = {
      ...pageFieldsOf(await open()),
      tags: 'Print',
      'preview.title': '<b>',
      expires_at: '2099-05-02T10:00',
    };
    const { parts } = await (await browse(`${path}/check`, form(typed))).json<{ parts: Record<string, string> }>();
    expect([parts['state-campaign'], parts['state-preview'], parts['state-schedule'], parts['state-rules']]).toEqual([
      '<bdi class="is-set">Print</bdi>',
      '<bdi class="is-set">&lt;b&gt;</bdi>',
      '<bdi class="is-set">expires 2 May 2099</bdi>',
      'None',
    ]);
  });

  it.each([
    ['1', '', true],
    ['5', 'false', true],
    ['5', 'true', false],
    ['6', '', false],
    ['0', '', false],
    ['', '', false],
    ['many', '', false],
  ])('a click limit of "%s" on a form with "%s" for ask first suggests it: %s', async (most, asks, isSuggested) => {
    const { open, path, browse, send } = await openPagesOfLink();
    const typed = { ...pageFieldsOf(await open()), max_clicks: most, ask_first: asks };
    const { parts } = await (await browse(`${path}/check`, form(typed))).json<{ parts: Record<string, string> }>();
    const suggestion =
      'With so few clicks, choose “Ask first” under “Password”: programs that check mails open links as a browser does, and would use the clicks up.';
    expect(parts['few-clicks']).toBe(isSuggested ? `<p class="hint">${suggestion}</p>` : '');
    if ((await send(typed)).status === 303) expect((await open()).includes(suggestion)).toBe(isSuggested);
  });

  it('the options of a link are stored as they are typed, and cleared again', async () => {
    const { id, open, send } = await openPagesOfLink();
    const fields = pageFieldsOf(await open());
    expect(fields).toMatchObject({ redirect_status: '302', forward_query: '', inspectable: 'true', max_clicks: '' });
    expect(fields).not.toHaveProperty('forward_path');
    const typed = {
      ...fields,
      starts_at: '2099-01-01T00:00',
      expires_at: '2100-01-01T00:00',
      max_clicks: '500',
      expired_url: 'https://example.com/over',
      fallback: 'https://example.com/app',
      redirect_status: '308',
      forward_query: 'override',
      inspectable: 'false',
      'preview.title': 'Spring',
      'preview.image': 'https://example.com/a.png',
    };
    expect((await send(typed)).status).toBe(303);
    expect(await storedOf(id)).toMatchObject({
      starts_at: Date.parse('2099-01-01T00:00:00Z'),
      expires_at: Date.parse('2100-01-01T00:00:00Z'),
      max_clicks: 500,
      expired_url: 'https://example.com/over',
      fallback: 'https://example.com/app',
      redirect_status: 308,
      forward_query: 'override',
      inspectable: 0,
      preview: '{"title":"Spring","image":"https://example.com/a.png"}',
    });
    const shown = pageFieldsOf(await open());
    expect(shown).toMatchObject({ ...typed, revision: shown['revision'] });
    const before = await storedOf(id);
    expect((await send(shown)).status).toBe(303);
    expect(await storedOf(id)).toEqual(before);
    expect((await send({ ...fields, revision: shown['revision'] ?? '' })).status).toBe(303);
    expect(await storedOf(id)).toMatchObject({
      starts_at: null,
      expires_at: null,
      max_clicks: null,
      expired_url: null,
      fallback: null,
      redirect_status: null,
      forward_query: null,
      inspectable: null,
      preview: null,
    });
  });

  it.each<[field: string, sentence: string, typed: string, fold: string]>([
    ['max_clicks', 'This must be a whole number from 1 to 1000000000.', '0', 'Start and end'],
    ['max_clicks', 'This must be a number.', 'many', 'Start and end'],
    [
      'expired_url',
      'This must be an absolute http or https URL, such as https://example.com/page.',
      'x',
      'Start and end',
    ],
    ['starts_at', 'This must be a day and a time, such as 2027-12-31T18:00.', 'soon', 'Start and end'],
    ['password', 'This must be at least 4 characters long.', 'abc', 'Password'],
    ['fallback', 'This cannot have the scheme tel: use https.', 'tel:+15550100', 'App'],
    ['redirect_status', 'This must be 301, 302, 307 or 308.', '200', 'Redirect'],
    ['forward_query', 'This must be keep or override.', 'all', 'Redirect'],
    ['inspectable', 'This must be a boolean.', 'maybe', 'Redirect'],
    ['preview.image', 'This must be an absolute http or https URL, such as https://example.com/page.', 'x', 'Preview'],
    ['preview.title', 'This must not be empty: leave it out.', ' ', 'Preview'],
  ])('the options of a link have the error of %s beside it: %s', async (field, sentence, typed, fold) => {
    const { id, open, send } = await openPagesOfLink();
    const before = await storedOf(id);
    const response = await send({ ...pageFieldsOf(await open()), [field]: typed });
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(`id="fault-${field}">${sentence}</p>`);
    expect(optionsOf(page)[fold]?.[0]).toBe('open');
    expect(await storedOf(id)).toEqual(before);
  });

  it('the options of a link forward the path only of links on custom domains', async () => {
    const { caller, browse, path } = await openLinks();
    expect(await textOf(browse(`${path}/new`))).not.toContain('name="forward_path"');
    const host = await seedDomain(caller);
    const fields = { ...pageFieldsOf(await textOf(browse(`${path}/new`))), url: 'https://example.com/' };
    expect(fields).toMatchObject({ forward_path: 'false' });
    const refused = await textOf(browse(`${path}/new`, form({ ...fields, forward_path: 'true' })));
    expect(refused).toContain(
      'id="fault-forward_path">The path can be forwarded only by links on a custom domain.</p>',
    );
    const created = await browse(`${path}/new`, form({ ...fields, forward_path: 'true', custom_domain: host }));
    expect(created.status).toBe(303);
    const to = created.headers.get('Location') ?? '';
    expect(await storedOf(to.split('/').at(-1) ?? '')).toMatchObject({ forward_path: 1, inspectable: null });
    expect(await textOf(browse(`${to}/edit`))).toContain('name="forward_path"');
  });
});

describe('the password of a link', () => {
  it('the password of a link is set, kept, changed and removed, never shown, and so says the history', async () => {
    const { id, open, send, history } = await openPagesOfLink();
    const edit = async (fields: Record<string, string>) => send({ ...pageFieldsOf(await open()), ...fields });
    const hashOf = async () => (await storedOf(id))?.['password_hash'];
    expect(await open()).not.toContain('Remove the password');
    expect((await edit({ password: 'open sesame' })).status).toBe(303);
    const first = await hashOf();
    expect(first).toEqual(expect.any(String));
    const [input = ''] = /<input[^>]*name="password"[^>]*>/.exec(await open()) ?? [];
    expect([input.includes('type="password"'), input.includes('value=')]).toEqual([true, false]);
    expect((await edit({ title: 'Kept' })).status).toBe(303);
    expect(await hashOf()).toBe(first);
    expect((await edit({ password: 'another one' })).status).toBe(303);
    const second = await hashOf();
    expect(second).not.toBe(first);
    const both = await edit({ password: 'a third one', remove_password: 'on' });
    const shown = await both.text();
    expect([both.status, shown.includes('a third one')]).toEqual([400, false]);
    expect(shown).toContain('id="fault-password">Leave this empty to remove the password.</p>');
    expect(await hashOf()).toBe(second);
    expect((await edit({ remove_password: 'on' })).status).toBe(303);
    expect(await hashOf()).toBeNull();
    const words = historyOf(await history())
      .split('\n')
      .map((line) => line.trim());
    expect(words.filter((line) => line.includes('Password'))).toEqual([
      expect.stringContaining('Password removed'),
      expect.stringContaining('Password changed'),
      expect.stringContaining('Password set'),
    ]);
  });

  it('the password of a link that was typed is asked for again after a button or an error, since no page has it', async () => {
    const { open, send } = await openPagesOfLink();
    const fields = { ...pageFieldsOf(await open()), password: 'open sesame' };
    for (const more of [{ do: 'rules.add' }, { url: 'x' }]) {
      const page = await textOf(send({ ...fields, ...more }));
      expect(page).toContain('id="fault-password">Enter the password again: it is not in this page.</p>');
      expect(page).not.toContain('open sesame');
      expect(optionsOf(page)['Password']?.[0]).toBe('open');
    }
  });
});
