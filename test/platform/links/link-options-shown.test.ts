import { describe, expect, it } from 'vitest';
import { historyOf, openPagesOfLink } from '../../support/link-pages.ts';
import { answer, ask } from '../../support/management.ts';
import { textOf } from '../../support/platform.ts';

/** The options of a link on its page, in its history, and for a visitor that is tried. */

const RULE = { name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: 'https://example.com/app' };
const AUSTRIA = { name: 'Austria', if: [{ type: 'country', in: ['AT'] }], url: 'https://example.com/at' };
const GERMAN = { name: 'German', if: [{ type: 'language', in: ['de'] }], url: 'https://example.com/de' };

describe('the page of a link', () => {
  it('the page of a link says in words what the link decides', async () => {
    const { details } = await openPagesOfLink({
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
    const html = await details();
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
      'Visible destination': 'Not with a password or a click limit',
    });
    expect(html).toContain('Starts on 1 Jan 2099, 09:00 UTC</span>');
  });

  it('links to the page that shows where it leads, if it can be inspected', async () => {
    const { id, details } = await openPagesOfLink();
    expect(await details()).toContain(`href="https://terse.test/${id}+"`);
    expect(await (await openPagesOfLink({ inspectable: false })).details()).not.toContain('+" rel="noreferrer"');
  });

  it('the page of a link says in the history which rules and variants were changed, and in what', async () => {
    const { id, caller, history } = await openPagesOfLink({ rules: [RULE, AUSTRIA, GERMAN] });
    const change = async (fields: object) => {
      await answer(await ask(caller, 'PATCH', `/v1/links/${id}`, fields));
      const [newest = ''] = historyOf(await history()).split('\n\n');
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
      'Visible destination Yes → No',
    ]);
  });
});

describe('a visitor that is tried', () => {
  it('a visitor that is tried is led by the first rule that holds, and each condition says whether it does', async () => {
    const { visit, details } = await openPagesOfLink({ rules: [AUSTRIA, RULE] });
    expect(await details()).toContain('Choose a visitor');
    const html = await textOf(visit('agent=iphone&country=de&language=de'));
    expect(html).toContain(
      '<dt>Leads to</dt><dd><span dir="ltr" title="https://example.com/app">https://example.com/app</span></dd>',
    );
    expect(html).toContain('The rule <bdi>Phones</bdi>');
    const text = html.replaceAll(/<[^>]*>/g, '');
    expect(text).toContain('Austria Does not holdDoes not hold the country is Austria');
    expect(text).toContain('Phones HoldsHolds the device is mobile');
    expect(html).toMatch(/<option value="iphone" selected/);
    expect(html).toMatch(/name="country"[^>]*value="de"/);
  });

  it('a visitor that is tried is led to the destination of the link by no rule, with what stops it before', async () => {
    const { visit } = await openPagesOfLink({ rules: [AUSTRIA], starts_at: '2099-01-01T00:00:00Z' });
    const early = await textOf(visit('agent=linux'));
    expect(early).toContain('The link has not started yet.');
    expect(early).not.toContain('<dt>Leads to</dt>');
    const late = await textOf(visit('agent=linux&at=2099-01-02T00:00'));
    expect(late).toContain('The destination of the link');
    expect(late).toContain(
      '<dt>Leads to</dt><dd><span dir="ltr" title="https://example.com/">https://example.com</span></dd>',
    );
  });

  it.each([
    ['country', 'XX'],
    ['referrer', 'x'],
    ['at', 'soon'],
  ])('a visitor that is tried has an error beside %s', async (field, value) => {
    const { visit } = await openPagesOfLink();
    const response = await visit(`agent=linux&${field}=${value}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`id="fault-${field}">This must be`);
  });

  it('a visitor that is tried has to be given before anything is shown', async () => {
    const { visit } = await openPagesOfLink();
    const html = await textOf(visit(''));
    expect(html).toContain('<h1>Try it</h1>');
    expect(html).not.toContain('id="result"');
  });
});
