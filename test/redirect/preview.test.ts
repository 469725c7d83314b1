import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { assetPath } from '../../src/http/assets.ts';
import { CHROME, FIREFOX, GOOGLEBOT, holdQueue, packsOf, SLACK } from '../support/clicks.ts';
import { open } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { fromEachStore, ledTo, PAGE_HEADERS } from '../support/visits.ts';

/** Responses to programs that draw a preview of a link. */

afterEach(() => void vi.restoreAllMocks());

const MESSENGERS: readonly (readonly [name: string, userAgent: string])[] = [
  ['WhatsApp', 'WhatsApp/2.23.20.0 A'],
  ['Signal', 'WhatsApp/2'],
  ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  [
    'iMessage',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  ],
  ['X', 'Twitterbot/1.0'],
  ['Slack', SLACK],
  ['Telegram', 'TelegramBot (like TwitterBot)'],
  ['Discord', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
  ['LinkedIn', 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)'],
  ['Teams', 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com'],
  ['Line', 'facebookexternalhit/1.1;line-poker/1.0'],
  ['Mattermost', 'Mattermost-Bot/1.1'],
  ['Bluesky', 'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)'],
  ['Mastodon', 'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/)'],
];

// It has no words of this service, whatever the program accepts.
const { vary: _, ...HEADERS } = PAGE_HEADERS;

const by = (userAgent: string) => ({ headers: { 'User-Agent': userAgent } });
const squeezed = (text: string) => text.replaceAll(/>\s+</g, '><').replaceAll(/\s+/g, ' ').trim();
const PREVIEW = {
  title: 'Sale <b>"½"</b> & more',
  description: `'Everything' must go </script>`,
  image: 'https://img.example/a.png?b=1&c="2"',
};

const pageOf = (url: string, { title, description, image }: Partial<typeof PREVIEW>) =>
  squeezed(`<!doctype html> <html lang="en" dir="ltr"> <head> <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" /> <title>${title}</title>
    <meta property="og:type" content="website" /> <meta property="og:url" content="${url}" />
    <meta property="og:title" content="${title}" />
    <meta name="twitter:card" content="${image === undefined ? 'summary' : 'summary_large_image'}" />
    <meta name="twitter:title" content="${title}" />
    ${
      description === undefined
        ? ''
        : `<meta name="description" content="${description}" /> <meta property="og:description" content="${description}" />
           <meta name="twitter:description" content="${description}" />`
    }
    ${image === undefined ? '' : `<meta property="og:image" content="${image}" /> <meta name="twitter:image" content="${image}" />`}
    <link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml" />
    <link rel="stylesheet" href="${assetPath('page.css')}" /> </head> <body> <main><h1 dir="auto">${title}</h1>
    ${description === undefined ? '' : `<p dir="auto">${description}</p>`}</main> </body> </html>`);

const ESCAPED = {
  title: 'Sale &lt;b&gt;&quot;½&quot;&lt;/b&gt; &amp; more',
  description: '&#39;Everything&#39; must go &lt;/script&gt;',
  image: 'https://img.example/a.png?b=1&amp;c=%222%22',
};

describe('the preview of a link', () => {
  it.each(MESSENGERS)(
    'the preview of a link is a page with exactly these tags for %s, which is no click',
    async (_, userAgent) => {
      const manager = await open();
      const id = await manager.make({ preview: PREVIEW, url: 'https://example.com/secret' });
      const held = holdQueue();
      const response = await openIsolate()(`/${id}?utm_source=a`, by(userAgent));
      expect([response.status, Object.fromEntries(response.headers)]).toEqual([200, HEADERS]);
      expect(squeezed(await response.text())).toBe(pageOf(`https://terse.test/${id}`, ESCAPED));
      expect(packsOf(held, id)).toEqual([]);
    },
  );

  it('the preview of a link is served from every store, and fetches nothing', async () => {
    const manager = await open();
    const id = await manager.make({ preview: PREVIEW });
    const fetched = vi.spyOn(globalThis, 'fetch');
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}`, by(SLACK))))
      expect([store, response.status, squeezed(await response.text())]).toEqual([
        store,
        200,
        pageOf(`https://terse.test/${id}`, ESCAPED),
      ]);
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each([
    [{ title: 'Only' }, { title: 'Only' }],
    [{ description: 'Only' }, { title: 'terse.test', description: 'Only' }],
    [{ image: 'https://img.example/a.png' }, { title: 'terse.test', image: 'https://img.example/a.png' }],
  ])('the preview of a link has what %j has, and the host as title', async (preview, expected) => {
    const manager = await open();
    const id = await manager.make({ preview });
    const response = await call(`/${id}`, by(SLACK));
    expect(squeezed(await response.text())).toBe(pageOf(`https://terse.test/${id}`, expected));
  });

  it.each([CHROME, FIREFOX, GOOGLEBOT, '', 'curl/8.0'])(
    'the preview of a link is none for %s, who is redirected',
    async (userAgent) => {
      const manager = await open();
      const id = await manager.make({ preview: PREVIEW });
      expect(ledTo(await call(`/${id}`, by(userAgent)))).toEqual([302, 'https://example.com/']);
    },
  );

  it.each(MESSENGERS)(
    'the preview of a link is that of the destination for %s, if the link has none',
    async (_, userAgent) => {
      const manager = await open();
      const id = await manager.make({ redirect_status: 301 });
      expect(ledTo(await call(`/${id}`, by(userAgent)))).toEqual([301, 'https://example.com/']);
    },
  );

  it('the preview of a link has no body for HEAD', async () => {
    const manager = await open();
    const id = await manager.make({ preview: PREVIEW });
    const response = await call(`/${id}`, { method: 'HEAD', ...by(SLACK) });
    expect([...ledTo(response), await response.text()]).toEqual([200, null, '']);
  });

  it('the preview of a link names the short URL, however the link was visited', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    const id = await manager.make({ preview: { title: 'x' } });
    await manager.make({ preview: { title: 'x' }, slug: 'größe', custom_domain: host });
    const urlIn = async (url: string) =>
      /og:url" content="([^"]*)"/.exec(await (await openIsolate()(url, by(SLACK))).text())?.[1];
    for (const url of [`https://terse.test/${id}/`, `http://terse.test/${id}`, `http://localhost/${id}?a#b`])
      expect([url, await urlIn(url)]).toEqual([url, `https://terse.test/${id}`]);
    expect(await urlIn(`http://${host}/größe`)).toBe(`https://${host}/gr%C3%B6%C3%9Fe`);
  });

  it('the preview of a link leaves out an image on a host that the operator has blocked since, from every store', async () => {
    const manager = await open();
    const host = `h-${crypto.randomUUID().slice(0, 8)}.example`;
    const id = await manager.make({ preview: { title: 'Only', image: `https://img.${host}/a.png` } });
    await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(host).run();
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}`, by(SLACK))))
      expect([store, response.status, squeezed(await response.text())]).toEqual([
        store,
        200,
        pageOf(`https://terse.test/${id}`, { title: 'Only' }),
      ]);
    expect(ledTo(await openIsolate()(`/${id}`, by(CHROME)))).toEqual([302, 'https://example.com/']);
    await manager.ask('PATCH', `/v1/links/${id}`, { preview: { title: 'Only' } });
    expect(await env.DB.prepare('SELECT * FROM link_hosts WHERE link_id = ?').bind(id).all()).toMatchObject({
      results: [],
    });
  });

  it('the preview of a link is that of a limited link, and takes no click', async () => {
    const manager = await open();
    const id = await manager.make({ preview: { title: 'Only' }, max_clicks: 1 });
    const isolate = openIsolate();
    const response = await isolate(`/${id}`, by(SLACK));
    expect(squeezed(await response.text())).toBe(pageOf(`https://terse.test/${id}`, { title: 'Only' }));
    expect((await isolate(`/${id}`, by(CHROME))).status).toBe(302);
  });
});
