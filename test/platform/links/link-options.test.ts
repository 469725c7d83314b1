import { describe, expect, it } from 'vitest';
import { answer, ask } from '../../support/management.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { form, openLinks, textOf } from '../../support/platform.ts';
import { rowsOf, seedDomain, seedLink } from '../../support/seed.ts';

/** The other options of a link in its forms, on its page and in its history. */

const storedOf = async (id: string) => (await rowsOf('links')).find((row) => row['id'] === id);

async function openEdit(fields: object = {}) {
  const { caller, browse, path: links } = await openLinks();
  const { id } = await seedLink(caller);
  if (Object.keys(fields).length > 0) await answer(await ask(caller, 'PATCH', `/v1/links/${id}`, fields));
  const path = `${links}/${id}`;
  return {
    id,
    caller,
    page: () => textOf(browse(path)),
    open: () => textOf(browse(`${path}/edit`)),
    send: (sent: Record<string, string>) => browse(`${path}/edit`, form(sent)),
    visit: (query: string) => browse(`${path}/try?${query}`),
  };
}

/** The folded parts of a form, with whether each is open. */
const foldsOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<details class="fold"( open="")?><summary>([^<]*)</g)].map(([, open, label = '']) => [
      label,
      open !== undefined,
    ]),
  );

/** The text of the history, without its tags. */
const historyOf = (page: string) =>
  (page.split('<ol class="history">')[1]?.split('</ol>')[0] ?? '')
    .replaceAll(/<\/li>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[\u2068\u2069]/g, '');

describe('the options of a link', () => {
  it('are folded until they are used', async () => {
    const closed = await openEdit();
    const folds = {
      Rules: false,
      'Variants (A/B)': false,
      'Schedule and limit': false,
      Password: false,
      Redirect: false,
      'Link preview': false,
    };
    expect(foldsOf(await closed.open())).toEqual(folds);
    const used = await openEdit({ max_clicks: 5, password: 'open sesame', inspectable: false });
    expect(foldsOf(await used.open())).toEqual({
      ...folds,
      'Schedule and limit': true,
      Password: true,
      Redirect: true,
    });
    const byDefault = await openEdit({ redirect_status: 302, inspectable: true });
    expect(foldsOf(await byDefault.open())).toEqual(folds);
  });

  it('are stored as they are typed, and cleared again', async () => {
    const { id, open, send } = await openEdit();
    const fields = pageFieldsOf(await open());
    expect(fields).toMatchObject({ redirect_status: '302', forward_query: '', inspectable: 'true', max_clicks: '' });
    expect(fields).not.toHaveProperty('forward_path');
    const typed = {
      ...fields,
      starts_at: '2030-01-01T00:00',
      expires_at: '2031-01-01T00:00',
      max_clicks: '500',
      expired_url: 'https://example.com/over',
      redirect_status: '308',
      forward_query: 'override',
      inspectable: 'false',
      'preview.title': 'Spring',
      'preview.image': 'https://example.com/a.png',
    };
    expect((await send(typed)).status).toBe(303);
    expect(await storedOf(id)).toMatchObject({
      starts_at: Date.parse('2030-01-01T00:00:00Z'),
      expires_at: Date.parse('2031-01-01T00:00:00Z'),
      max_clicks: 500,
      expired_url: 'https://example.com/over',
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
      redirect_status: null,
      forward_query: null,
      inspectable: null,
      preview: null,
    });
  });

  it.each<[field: string, sentence: string, typed: string, fold: string]>([
    ['max_clicks', 'This must be a whole number from 1 to 1000000000.', '0', 'Schedule and limit'],
    ['max_clicks', 'This must be a number.', 'many', 'Schedule and limit'],
    [
      'expired_url',
      'This must be an absolute http or https URL, such as https://example.com/page.',
      'x',
      'Schedule and limit',
    ],
    ['starts_at', 'This must be a day and a time, such as 2027-12-31T18:00.', 'soon', 'Schedule and limit'],
    ['password', 'This must be at least 4 characters long.', 'abc', 'Password'],
    ['redirect_status', 'This must be 301, 302, 307 or 308.', '200', 'Redirect'],
    ['forward_query', 'This must be keep or override.', 'all', 'Redirect'],
    ['inspectable', 'This must be a boolean.', 'maybe', 'Redirect'],
    [
      'preview.image',
      'This must be an absolute http or https URL, such as https://example.com/page.',
      'x',
      'Link preview',
    ],
    ['preview.title', 'This must not be empty: leave it out.', ' ', 'Link preview'],
  ])('have the error of %s beside it: %s', async (field, sentence, typed, fold) => {
    const { id, open, send } = await openEdit();
    const before = await storedOf(id);
    const response = await send({ ...pageFieldsOf(await open()), [field]: typed });
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(`id="fault-${field}">${sentence}</p>`);
    expect(foldsOf(page)).toMatchObject({ [fold]: true });
    expect(await storedOf(id)).toEqual(before);
  });

  it('forward the path only of links on custom domains', async () => {
    const { caller, browse, path } = await openLinks();
    expect(await textOf(browse(`${path}/new`))).not.toContain('name="forward_path"');
    const host = await seedDomain(caller);
    const fields = { ...pageFieldsOf(await textOf(browse(`${path}/new`))), url: 'https://example.com/' };
    expect(fields).toMatchObject({ forward_path: 'false' });
    const refused = await textOf(browse(`${path}/new`, form({ ...fields, forward_path: 'true' })));
    expect(refused).toContain('id="fault-forward_path">forward_path needs a custom_domain.</p>');
    const created = await browse(`${path}/new`, form({ ...fields, forward_path: 'true', custom_domain: host }));
    expect(created.status).toBe(303);
    const to = created.headers.get('Location') ?? '';
    expect(await storedOf(to.split('/').at(-1) ?? '')).toMatchObject({ forward_path: 1, inspectable: null });
    expect(await textOf(browse(`${to}/edit`))).toContain('name="forward_path"');
  });
});

describe('the password of a link', () => {
  it('is set, kept, changed and removed, never shown, and so says the history', async () => {
    const { id, open, send, page } = await openEdit();
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
    const words = historyOf(await page())
      .split('\n')
      .map((line) => line.trim());
    expect(words.filter((line) => line.includes('Password'))).toEqual([
      expect.stringContaining('Password removed'),
      expect.stringContaining('Password changed'),
      expect.stringContaining('Password set'),
    ]);
  });

  it('that was typed is asked for again after a button or an error, since no page has it', async () => {
    const { open, send } = await openEdit();
    const fields = { ...pageFieldsOf(await open()), password: 'open sesame' };
    for (const more of [{ do: 'rules.add' }, { url: 'x' }]) {
      const page = await textOf(send({ ...fields, ...more }));
      expect(page).toContain('id="fault-password">Enter the password again: it is not in this page.</p>');
      expect(page).not.toContain('open sesame');
      expect(foldsOf(page)).toMatchObject({ Password: true });
    }
  });
});

const RULE = { name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: 'https://example.com/app' };
const AUSTRIA = { name: 'Austria', if: [{ type: 'country', in: ['AT'] }], url: 'https://example.com/at' };
const GERMAN = { name: 'German', if: [{ type: 'language', in: ['de'] }], url: 'https://example.com/de' };

describe('the page of a link', () => {
  it('says in words what the link decides', async () => {
    const { page } = await openEdit({
      rules: [RULE, { ...AUSTRIA, if: [...AUSTRIA.if, { type: 'visitor', in: ['bot'], not: true }] }],
      variants: [
        { name: 'A', url: 'https://example.com/a', weight: 1 },
        { name: 'B', url: 'https://example.com/b', weight: 2 },
      ],
      starts_at: '2099-01-01T09:00:00Z',
      max_clicks: 1500,
      password: 'open sesame',
      redirect_status: 307,
      forward_query: 'keep',
      preview: { title: 'Spring <sale>' },
    });
    const html = await page();
    const facts = Object.fromEntries(
      [...html.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, term = '', value = '']) => [
        term,
        value.replaceAll(/<\/li>/g, '\n').replaceAll(/<[^>]*>/g, ''),
      ]),
    );
    expect(facts).toMatchObject({
      Rules:
        '1. Phones: the device is mobile → https://example.com/app\n' +
        '2. Austria: the country is Austria and the visitor is not a program → https://example.com/at\n',
      Variants: 'A: 33.3% → https://example.com/a\nB: 66.7% → https://example.com/b\n',
      'Click limit': '1,500 clicks, 1,500 left',
      Password: 'Set',
      Starts: '1 Jan 2099, 09:00 UTC',
      'Redirect status': '307 Temporary Redirect',
      'Forward query parameters': 'Yes, those of the destination stay',
      'Link preview': 'title: Spring &lt;sale&gt;\n',
      Inspectable: 'Not with a password or a click limit',
    });
    expect(html).toContain('Starts on 1 Jan 2099, 09:00 UTC</span>');
  });

  it('links to the page that shows where it leads, if it can be inspected', async () => {
    const { id, page } = await openEdit();
    expect(await page()).toContain(`href="https://terse.test/${id}+"`);
    expect(await (await openEdit({ inspectable: false })).page()).not.toContain('+" rel="noreferrer"');
  });

  it('says in the history which rules and variants were changed, and in what', async () => {
    const { id, caller, page } = await openEdit({ rules: [RULE, AUSTRIA, GERMAN] });
    const change = async (fields: object) => {
      await answer(await ask(caller, 'PATCH', `/v1/links/${id}`, fields));
      const [newest = ''] = historyOf(await page()).split('\n\n');
      return newest.split('\n').map((line) => line.replace(/^.*?(UTC by \S+?)(?=[A-Z])/, ''));
    };
    expect(await change({ rules: [GERMAN, RULE, { ...AUSTRIA, url: 'https://example.com/wien' }] })).toEqual([
      expect.stringContaining('Moved the rule German from place 3 to 1.'),
      'Changed the destination of the rule Austria: https://example.com/at → https://example.com/wien.',
    ]);
    expect(
      await change({
        rules: [
          { ...GERMAN, name: 'Deutsch' },
          { ...RULE, if: AUSTRIA.if },
        ],
      }),
    ).toEqual([
      expect.stringContaining('Removed the rule Austria.'),
      'Renamed the rule German to Deutsch.',
      'Changed the conditions of the rule Phones: the device is mobile → the country is Austria.',
    ]);
    const variants = [
      { name: 'A', url: 'https://example.com/a', weight: 50 },
      { name: 'B', url: 'https://example.com/b', weight: 50 },
    ];
    expect(await change({ rules: null, variants })).toEqual([
      expect.stringContaining('Removed the rule Deutsch.'),
      'Removed the rule Phones.',
      'Added the variant A: https://example.com/a → 50.',
      'Added the variant B: https://example.com/b → 50.',
    ]);
    expect(await change({ variants: [{ ...variants[1], weight: 60 }, variants[0]] })).toEqual([
      expect.stringContaining('Changed the weight of the variant B: 50 → 60.'),
    ]);
    expect(await change({ preview: { title: 'Spring' }, inspectable: false, max_clicks: 5 })).toEqual([
      expect.stringContaining('Click limit none → 5'),
      'Link preview, title none → Spring',
      'Inspectable Yes → No',
    ]);
  });
});

describe('a visitor that is tried', () => {
  it('is led by the first rule that holds, and each condition says whether it does', async () => {
    const { visit, page } = await openEdit({ rules: [AUSTRIA, RULE] });
    expect(await page()).toContain('Choose a visitor');
    const html = await textOf(visit('agent=iphone&country=de&language=de'));
    expect(html).toContain('<dt>Leads to</dt><dd><code>https://example.com/app</code></dd>');
    expect(html).toContain('The rule <bdi>Phones</bdi>');
    const text = html.replaceAll(/<[^>]*>/g, '');
    expect(text).toContain('Austria Does not holdDoes not hold the country is Austria');
    expect(text).toContain('Phones HoldsHolds the device is mobile');
    expect(html).toMatch(/<option value="iphone" selected/);
    expect(html).toMatch(/name="country"[^>]*value="de"/);
  });

  it('is led to the destination of the link by no rule, with what stops it before', async () => {
    const { visit } = await openEdit({ rules: [AUSTRIA], starts_at: '2030-01-01T00:00:00Z' });
    const early = await textOf(visit('agent=linux'));
    expect(early).toContain('The link has not started yet.');
    expect(early).not.toContain('<dt>Leads to</dt>');
    const late = await textOf(visit('agent=linux&at=2030-01-02T00:00'));
    expect(late).toContain('The destination of the link');
    expect(late).toContain('<dt>Leads to</dt><dd><code>https://example.com/</code></dd>');
  });

  it.each([
    ['country', 'XX'],
    ['referrer', 'x'],
    ['at', 'soon'],
  ])('has an error beside %s', async (field, value) => {
    const { visit } = await openEdit();
    const response = await visit(`agent=linux&${field}=${value}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`id="fault-${field}">This must be`);
  });

  it('is asked for before anything is said', async () => {
    const { visit } = await openEdit();
    const html = await textOf(visit(''));
    expect(html).toContain('<h1>Try it</h1>');
    expect(html).not.toContain('id="result"');
  });
});
