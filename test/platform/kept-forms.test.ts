import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NOW } from '../../scripts/reference/examples.ts';
import { Tallies } from '../../src/isolate/tallies.ts';
import { pageFieldsOf } from '../support/page-fields.ts';
import { contentOfTables } from '../support/seed.ts';
import { openTypedForms, typedFormsOf, type Open, type TypedForm } from '../support/typed-forms.ts';

/** Text that was typed into a form is not lost, whatever happens to it: for the forms of all pages, without scripts. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Texts that differ from what pages have. */
const typedInto = ({ texts }: TypedForm, text: string) =>
  Object.fromEntries(texts.map((name) => [name, `${text} ${name}`]));

const SECRET = 'never on a page';

function send(open: Open, { action, fields, isMultipart, passwords }: TypedForm, typed: object, signedIn = true) {
  const all = { ...fields, ...Object.fromEntries(passwords.map((name) => [name, SECRET])), ...typed };
  const body = isMultipart ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(all)) body.set(name, value);
  return open(action, { method: 'POST', body, headers: { Referer: 'https://go.example.com/nowhere' } }, signedIn);
}

/** Reads the fields of a form on a page, or those that the page carries to the form. */
function heldBy(html: string): Record<string, string> {
  const fields = pageFieldsOf(html);
  const { typed } = fields;
  if (typed === undefined) return fields;
  return Object.fromEntries((JSON.parse(typed) as { texts: [string, string][] }).texts);
}

/** Forms of users who are signed in, but those that ask for a code, which is valid for a moment. */
const signedInForms = ({ action }: TypedForm) =>
  !/sign-in$|sign-in\/provider|\/sso\b|forgot$|confirm$|factors\/app|\/invite\/|\/reset\/|\/shared\//.test(action);
/** Forms with only a file or a password, neither of which a page can hold. */
const holdsTexts = ({ texts, isMultipart }: TypedForm) => texts.length > 0 && !isMultipart;

async function openForms() {
  vi.setSystemTime(NOW);
  const { forms, open } = await openTypedForms();
  return { open, forms: forms.filter(signedInForms) };
}

function breakDatabase(): void {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is down'));
}

it('the forms that can be kept are these', async () => {
  const { forms } = await openForms();
  expect(forms.length).toBeGreaterThan(25);
  expect(forms.filter(({ files }) => files.length > 0).map(({ action }) => action.split('/').at(-1))).toEqual([
    'logo',
    'import',
    'qr',
  ]);
});

describe.each<[string, number, () => void]>([
  ['that come too quickly', 429, () => vi.spyOn(Tallies.prototype, 'take').mockReturnValue(false)],
  ['while the database is not available', 503, breakDatabase],
])('forms %s', (_, status, fail) => {
  it('forms are kept on the page that says so, and are shown again by its button, which saves nothing', async () => {
    const { forms, open } = await openForms();
    const before = await contentOfTables();
    for (const form of forms.filter(holdsTexts)) {
      const typed = typedInto(form, 'Kept');
      fail();
      const response = await send(open, form, typed);
      vi.restoreAllMocks();
      const html = await response.text();
      expect([form.action, response.status, response.headers.get('Retry-After')]).toEqual([
        form.action,
        status,
        expect.stringMatching(/^\d+$/),
      ]);
      expect({ action: form.action, ...heldBy(html) }).toMatchObject({ action: form.action, ...typed });
      expect(html).not.toContain(SECRET);
      const again = await showAgain(open, html);
      const shown = await again.text();
      expect([form.action, again.status]).toEqual([form.action, 200]);
      expect(shown).toContain('This is what you sent. Check it, and send it again.');
      expect({ action: form.action, ...pageFieldsOf(shown) }).toMatchObject({ action: form.action, ...typed });
      // A form without an action would be sent to the path that has shown it.
      const actions = typedFormsOf(shown, 'no action').map((each) => each.action);
      expect([form.action, ...actions]).not.toContain('no action');
    }
    const after = await contentOfTables();
    expect({ ...after, sessions: [] }).toEqual({ ...before, sessions: [] });
  });
});

it('forms that meet a fault of the service are kept on the page that says so', async () => {
  const { forms, open } = await openForms();
  const form = forms.find(({ action }) => action.endsWith('/links/new'))!;
  const typed = { url: 'https://example.com/kept', title: 'Kept title' };
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(Tallies.prototype, 'take').mockImplementation(() => {
    throw new TypeError('a bug');
  });
  const response = await send(open, form, typed);
  vi.restoreAllMocks();
  const html = await response.text();
  expect([response.status, response.headers.get('Retry-After')]).toEqual([500, null]);
  expect(heldBy(html)).toMatchObject(typed);
  expect(await (await showAgain(open, html)).text()).toContain('value="Kept title"');
});

/** Shows a form again that a page carries. */
function showAgain(open: Open, html: string): Promise<Response> {
  const [, action = ''] = /<form method="post" action="([^"]+\?again)"/.exec(html) ?? [];
  const body = new FormData();
  body.set('typed', pageFieldsOf(html)['typed'] ?? '');
  return open(action, { method: 'POST', body });
}

it('forms that are shown again while the database is still down are kept by that page too', async () => {
  const { forms, open } = await openForms();
  for (const form of forms.filter(holdsTexts)) {
    const typed = typedInto(form, 'Kept');
    breakDatabase();
    const html = await (await send(open, form, typed)).text();
    const still = await showAgain(open, html);
    const stillHtml = await still.text();
    vi.restoreAllMocks();
    expect([form.action, still.status]).toEqual([form.action, 503]);
    expect({ action: form.action, ...heldBy(stillHtml) }).toMatchObject({ action: form.action, ...typed });
    const shown = await showAgain(open, stillHtml);
    expect([form.action, shown.status]).toEqual([form.action, 200]);
    expect({ action: form.action, ...pageFieldsOf(await shown.text()) }).toMatchObject(typed);
  }
});

describe('forms that are sent after the session has expired', () => {
  it('forms that are sent after the session has expired are carried by the page that asks to sign in, without passwords', async () => {
    const { forms, open } = await openForms();
    for (const form of forms.filter(holdsTexts)) {
      const typed = typedInto(form, 'Kept');
      const response = await send(open, form, typed, false);
      const html = await response.text();
      expect([form.action, response.status]).toEqual([form.action, 401]);
      expect({ action: form.action, ...heldBy(html) }).toMatchObject({ action: form.action, ...typed });
      expect(html).not.toContain(SECRET);
    }
  });

  it('forms that are sent after the session has expired have a file say that it is to be chosen again', async () => {
    const { forms, open } = await openForms();
    for (const form of forms.filter(({ files }) => files.length > 0)) {
      const response = await send(open, form, {}, false);
      expect([form.action, response.status, response.headers.get('Location')]).toEqual([
        form.action,
        303,
        '/platform/sign-in',
      ]);
      expect(response.headers.getSetCookie().join()).toContain('file-lost');
    }
  });
});

/** Forms that take any text: what is typed there is saved. */
const ANY_TEXT: readonly RegExp[] = [];

it('forms with an invalid field are shown again with all that was typed, and what is wrong', async () => {
  const { forms, open } = await openForms();
  for (const form of forms.filter(holdsTexts)) {
    if (ANY_TEXT.some((action) => action.test(form.action))) continue;
    const typed = typedInto(form, 'é'.repeat(600));
    const response = await send(open, form, typed);
    const html = await response.text();
    expect([form.action, response.status]).toEqual([
      form.action,
      expect.toSatisfy((status) => status >= 400 && status < 413),
    ]);
    expect({ action: form.action, ...pageFieldsOf(html) }).toMatchObject({ action: form.action, ...typed });
    expect(html).toMatch(/role="alert"/);
    expect(html).not.toContain(SECRET);
  }
});
