import { describe, expect, it } from 'vitest';
import { openPagesOfLink } from '../../support/link-pages.ts';
import { ask } from '../../support/management.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { form, textOf } from '../../support/platform.ts';

const ENCODED = 'https://xn--bcher-kva.example/caf%C3%A9';
const READABLE = 'https://bücher.example/café';
const AFTER = 'https://example.com/%C3%BCber';
const IMAGE = 'https://example.com/bild-%C3%BC.png';
const ARABIC = 'https://example.com/%D8%B3%D9%84%D8%A7%D9%85';

const RULE = { name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: ENCODED };
const FIELDS = {
  url: ENCODED,
  expired_url: AFTER,
  rules: [RULE],
  variants: [
    { name: 'A', url: ENCODED, weight: 1 },
    { name: 'B', url: ARABIC, weight: 1 },
  ],
  preview: { image: IMAGE },
};

/** Reads the texts of a page: nothing within its tags. */
const wordsOf = (page: string) => page.replaceAll(/<head>.*?<\/head>/gs, '').replaceAll(/<[^>]*>/g, '');

describe('a decoded destination on the pages of a link', () => {
  it.each(['details', 'history', 'try?agent=iphone'])(
    'the pages of a link show destinations decoded on %s',
    async (below) => {
      const { browse, path } = await openPagesOfLink(FIELDS);
      const page = await textOf(browse(`${path}/${below}`));
      const words = wordsOf(page);
      expect(words).toContain(READABLE);
      expect(words.match(/%[\dA-F]{2}|xn--/g)).toBeNull();
      expect(page).toContain(`title="${ENCODED}"`);
      if (below.startsWith('try')) return;
      expect(words).toContain('https://example.com/über');
      expect(words).toContain('https://example.com/bild-ü.png');
    },
  );

  it('the pages of a link isolate the parts of a destination that runs from right to left', async () => {
    const { history, details } = await openPagesOfLink(FIELDS);
    const isolated = '\u2066\u2068https\u2069://\u2068example\u2069.\u2068com\u2069/\u2068سلام\u2069\u2069';
    expect(await details()).toContain(`B: 50% → ${isolated}`);
    expect(await history()).toContain(`variant \u2068B\u2069: ${isolated} → 1.`);
  });

  it('the pages of a link show destinations decoded when another user has changed the link meanwhile', async () => {
    const { id, caller, open, send } = await openPagesOfLink();
    const fields = pageFieldsOf(await open());
    await ask(caller, 'PATCH', `/v1/links/${id}`, { url: ENCODED });
    const page = await textOf(send({ ...fields, title: 'Mine' }));
    expect(wordsOf(page)).toContain(`Destination: ${READABLE}`);
  });

  it('the pages of a link show destinations decoded on the button that restores one, whose form leads to what it was', async () => {
    const { id, caller, browse, path, history } = await openPagesOfLink({ url: ENCODED });
    await ask(caller, 'PATCH', `/v1/links/${id}`, { url: 'https://example.com/' });
    expect(await history()).toContain(`aria-label="Restore this destination: ${READABLE}"`);
    expect((await browse(`${path}/history/2/put-back`, form({}))).status).toBe(303);
    expect(await (await ask(caller, 'GET', `/v1/links/${id}`)).json()).toMatchObject({ url: ENCODED });
  });
});
