import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkRules } from '../../../../src/links/routes/rules.ts';
import { linkVariants } from '../../../../src/links/routes/variants.ts';
import {
  fromRuleDrafts,
  fromVariantDrafts,
  toRuleDrafts,
  toVariantDrafts,
} from '../../../../src/platform/links/routes/convert.ts';
import { draftFields, inputAt, takeDraft } from '../../../../src/platform/links/routes/draft.ts';
import { readValueText, toValueText } from '../../../../src/platform/links/routes/value-list.ts';
import { wordsIn } from '../../../../src/platform/words.tsx';
import { arbitraryRules } from '../../../support/arbitrary-rules.ts';

const ZONE = 'America/New_York';
const WORDS = await wordsIn('en');

/** The fields that a browser sends: an input of one line keeps no line ends. */
const sent = (fields: Record<string, string>) =>
  Object.fromEntries(
    new URLSearchParams(
      new URLSearchParams(
        Object.entries(fields).map(([name, text]) => [name, text.replaceAll(/[\r\n]/g, '')]),
      ).toString(),
    ),
  );

describe('rules and variants in a form', () => {
  it('rules and variants in a form are read from it as they are stored, with any values', () => {
    const variants = fc.array(fc.record({ url: fc.webUrl(), weight: fc.integer({ min: 1, max: 100 }) }), {
      minLength: 2,
      maxLength: 8,
    });
    fc.assert(
      fc.property(arbitraryRules, variants, (given, typed) => {
        const rules = linkRules().parse(given);
        const stored = { rules, variants: linkVariants().parse(typed) };
        const fields = draftFields({
          rules: toRuleDrafts(WORDS, stored.rules, ZONE),
          variants: toVariantDrafts(stored.variants),
        });
        const { draft, rest } = takeDraft({ ...sent(fields), url: 'x' });
        expect(rest).toEqual({ url: 'x' });
        expect(linkRules().parse(fromRuleDrafts(WORDS, draft?.rules ?? [], ZONE, rules))).toEqual(stored.rules);
        expect(linkVariants().parse(fromVariantDrafts(draft?.variants ?? []))).toEqual(stored.variants);
      }),
    );
  });

  it('rules and variants in a form keep two instants of one minute apart', () => {
    const dates = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'];
    const rules = linkRules().parse(dates.map((from) => ({ if: [{ type: 'date', from }], url: 'https://a.example/' })));
    expect(linkRules().parse(fromRuleDrafts(WORDS, toRuleDrafts(WORDS, rules, ZONE), ZONE, rules))).toEqual(rules);
  });

  it('rules and variants in a form become the same rules without those stored before, but for the seconds of dates', () => {
    fc.assert(
      fc.property(arbitraryRules, (given) => {
        const rules = linkRules().parse(given);
        const minute = (text: string | undefined) => text?.replace(/:\d\d\.\d{3}Z$/, '');
        const read = linkRules().safeParse(fromRuleDrafts(WORDS, toRuleDrafts(WORDS, rules, 'UTC'), 'UTC'));
        // Two instants of one minute are no period.
        fc.pre(read.success);
        const toMinutes = (text: unknown) =>
          JSON.parse(JSON.stringify(text), (_, it) => (typeof it === 'string' && /^\d{4}-/.test(it) ? minute(it) : it));
        expect(toMinutes(read.data)).toEqual(toMinutes(rules));
      }),
    );
  });

  it('rules and variants in a form are read on the clocks of the user', () => {
    const condition = { type: 'date', from: '2027-07-01T09:00', until: '2027-12-01T09:00' };
    expect(fromRuleDrafts(WORDS, [{ name: '', url: 'https://a.example/', if: [condition] }], ZONE)).toEqual([
      {
        if: [{ type: 'date', from: '2027-07-01T13:00:00.000Z', until: '2027-12-01T14:00:00.000Z' }],
        url: 'https://a.example/',
      },
    ]);
  });

  it('rules and variants in a form leave what cannot be read to the schema, and what was typed for another type aside', () => {
    const conditions = [
      { type: 'date', from: 'soon', in: 'DE' },
      { type: 'hours', in: 'DE', name: 'a' },
      { type: 'query', name: 'ref', in: '', tz: 'UTC' },
      { type: 'moon', not: 'true', in: 'full' },
      {},
    ];
    expect(fromRuleDrafts(WORDS, [{ name: 'R', url: '', if: conditions }], ZONE)).toEqual([
      {
        name: 'R',
        if: [
          { type: 'date', from: 'soon' },
          { type: 'hours', from: '', until: '', tz: '' },
          { type: 'query', name: 'ref' },
          { type: 'moon', in: ['full'], not: true },
          { type: '', in: [] },
        ],
        url: '',
      },
    ]);
    expect(fromVariantDrafts([{ name: '', url: 'u', weight: 'half' }])).toEqual([{ url: 'u', weight: 'half' }]);
  });

  it('rules and variants in a form are of no page that did not show them', () => {
    expect(takeDraft({ url: 'x' })).toEqual({ draft: null, rest: { url: 'x' } });
  });

  it('rules and variants in a form leave fields beyond their lists in the form', () => {
    const fields = { rules: '1', 'rules.0.url': 'a', 'rules.0.if': '0', 'rules.1.url': 'b', variants: '0' };
    expect(takeDraft(fields)).toEqual({
      draft: { rules: [{ name: '', url: 'a', if: [] }], variants: [] },
      rest: { 'rules.1.url': 'b' },
    });
  });

  it.each([
    { rules: '21', variants: '0' },
    { rules: '-1', variants: '0' },
    { rules: '', variants: '0' },
    { rules: '0', variants: '9' },
    { rules: '1', 'rules.0.if': '21', variants: '0' },
    { rules: '1', variants: '0' },
  ])('rules and variants in a form of an impossible number are refused: %j', (fields) => {
    expect(() => takeDraft(fields as never)).toThrow(expect.objectContaining({ code: 'malformed_body' }));
  });
});

describe('a list of values in an input', () => {
  it('a list of values in an input is read as it was, with any values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', '"', '\\', ','))),
        (values) => {
          expect(readValueText(toValueText(values))).toEqual(values);
        },
      ),
    );
  });

  it.each<[string, string[]]>([
    ['DE, AT', ['DE', 'AT']],
    [' DE,,AT , ', ['DE', 'AT']],
    ['', []],
    ['"a, b", c', ['a, b', 'c']],
    ['"a" b, "c', ['"a" b', '"c']],
    [String.raw`"\q", ""`, [String.raw`"\q"`, '']],
  ])('a list of values in an input is read from %j', (text, values) => {
    expect(readValueText(text)).toEqual(values);
  });

  it.each(['"a,', String.raw`"\",`, ' ', ',', '" ,'])(
    'a list of values in an input is read in time that grows with its length: %j',
    (part) => {
      const millisecondsOf = (text: string) => {
        const began = performance.now();
        readValueText(text);
        return Math.max(1, performance.now() - began);
      };
      // Other work of the machine takes time from some of these attempts, but not from all.
      const growths = Array.from({ length: 9 }, () => {
        const ofOne = millisecondsOf(part.repeat(50_000));
        return millisecondsOf(part.repeat(100_000)) / ofOne;
      });
      expect(Math.min(...growths)).toBeLessThan(3);
    },
  );
});

describe('a place in the fields of the API', () => {
  it.each([
    ['rules.2.if.0.in.1', 'rules.2.if.0.in'],
    ['rules.2.if', 'rules.2.if'],
    ['rules.2.url', 'rules.2.url'],
    ['rules', 'rules'],
    ['variants.1.weight', 'variants.1.weight'],
    ['preview.image', 'preview.image'],
    ['aliases.0', 'aliases'],
  ])('a place in the fields of the API is at the input of the form: %s at %s', (place, input) => {
    expect(inputAt(place)).toBe(input);
  });
});
