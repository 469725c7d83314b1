import { expect, it } from 'vitest';
import { call, openIsolate } from '../support/service.ts';

const BROWSER = { headers: { Accept: 'text/html' } };

it.each([
  ['/', 'Åcme &amp; &lt;Söhne&gt;: short links people trust'],
  ['/changelog', 'Changelog · Åcme &amp; &lt;Söhne&gt;'],
  ['/platform/sign-in', 'Sign in · Åcme &amp; &lt;Söhne&gt;'],
  ['/docs', 'Docs · Åcme &amp; &lt;Söhne&gt;'],
  ['/docs/links', 'Links · Åcme &amp; &lt;Söhne&gt;'],
  ['/docs/there-is-no-such-page', 'No such page · Åcme &amp; &lt;Söhne&gt;'],
])('a page has the name and the colour of its operator: %s', async (path, title) => {
  const isolate = openIsolate({ BRAND_NAME: 'Åcme & <Söhne>', BRAND_COLOUR: '#5b21b6' });
  const text = await (await isolate(path, BROWSER)).text();
  expect(text).toContain(`<title>${title}</title>`);
  expect(text).toMatch(/<span class="mark" aria-hidden="true">Å<\/span><bdi>Åcme &amp; &lt;Söhne&gt;<\/bdi>/);
  expect(text).toContain('<link rel="stylesheet" href="/assets/brand.5b21b6.css"/>');
});

it('a page without settings of its operator has the name of Terse, and no further style sheet', async () => {
  const text = await (await call('/platform/sign-in', BROWSER)).text();
  expect(text).toContain('<title>Sign in · Terse</title>');
  expect(text).not.toContain('/assets/brand');
});

it('a page of the docs is not changed for a service without a brand, and keeps no hash of the file with one', async () => {
  const own = await call('/docs/links', BROWSER);
  expect(own.headers.get('etag')).toMatch(/^"\w+"$/);
  expect(await own.text()).toContain('<bdi>Terse</bdi>');
  const inColour = openIsolate({ BRAND_COLOUR: '#5b21b6' });
  const again = { headers: { ...BROWSER.headers, 'If-None-Match': own.headers.get('etag')! } };
  const branded = await inColour('/docs/links', again);
  expect([branded.status, branded.headers.get('etag')]).toEqual([200, null]);
  const text = await branded.text();
  expect(text).toContain('<bdi>Terse</bdi>');
  expect(text).toContain('<link rel="stylesheet" href="/assets/brand.5b21b6.css"/></head>');
});
