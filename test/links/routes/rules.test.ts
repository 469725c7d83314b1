import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { linkRules } from '../../../src/links/routes/rules.ts';
import { parseFields } from '../../../src/input/validation.ts';

const CONDITION = { type: 'country', in: ['DE'] };
const URL = 'https://example.com/';
const RULE = { if: [CONDITION], url: URL };

const parse = (rules: unknown) => parseFields(z.strictObject({ rules: linkRules() }), { rules }).rules;

/** The error for these rules. */
function errorOf(rules: unknown): AppError {
  try {
    parse(rules);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('the rules are not refused');
}

/** Reads the place of an error in the list; nothing for the list itself. */
function placeOf(message: string): { readonly place?: string } {
  const [place = ''] = message.split(' ', 1);
  return place === 'rules' ? {} : { place };
}

describe('rules', () => {
  it('the rules of a link are stored with a name, their conditions and the URL as the URL standard writes it', () => {
    const sent = [
      {
        url: 'HTTPS://Example.com/ä?b c',
        if: [
          { in: ['de', 'DE'], type: 'country' },
          { type: 'query', name: 'a' },
        ],
      },
      { name: ' Über  uns ', if: [{ ...CONDITION, not: true }], url: URL },
    ];
    const stored = [
      {
        name: 'Rule 1',
        if: [CONDITION, { type: 'query', name: 'a' }],
        url: 'https://example.com/%C3%A4?b%20c',
      },
      { name: 'Über  uns', if: [{ ...CONDITION, not: true }], url: URL },
    ];
    expect(JSON.stringify(parse(sent))).toBe(JSON.stringify(stored));
    expect(JSON.stringify(parse(stored))).toBe(JSON.stringify(stored));
  });

  it('the rules of a link without a name get the first one that is free', () => {
    const names = [undefined, 'rule 2', undefined, 'x', 'RULE 4', undefined];
    const rules = parse(names.map((name) => (name === undefined ? RULE : { ...RULE, name })));
    expect(rules.map(({ name }) => name)).toEqual(['Rule 1', 'rule 2', 'Rule 3', 'x', 'RULE 4', 'Rule 5']);
  });

  it('the rules of a link may be 20 with 20 conditions each', () => {
    const rule = { ...RULE, if: Array.from({ length: 20 }, () => CONDITION) };
    const rules = parse(Array.from({ length: 20 }, () => rule));
    expect(rules).toEqual(Array.from({ length: 20 }, (_, index) => ({ name: `Rule ${index + 1}`, ...rule })));
  });

  it('the rules of a link may have a URL that percent-encoding lengthens', () => {
    const url = `https://example.com/${'ä'.repeat(1000)}`;
    const [rule] = parse([{ ...RULE, url }]);
    expect(rule?.url).toHaveLength(20 + 6 * 1000);
    expect(parse([rule])).toEqual([rule]);
  });

  it.each<[string, unknown, string, string]>([
    ['no list', {}, 'invalid_rules', 'rules must be an array.'],
    ['too many', Array.from({ length: 21 }, () => null), 'invalid_rules', 'rules must contain 1 to 20 rules.'],
    ['a rule that is no object', [RULE, 1], 'invalid_rules', 'rules.1 must be an object.'],
    ['an unknown field', [RULE, { ...RULE, urls: 1 }], 'invalid_rules', 'rules.1 must not have the field "urls".'],
    ['no URL', [{ if: [CONDITION] }], 'missing_field', 'rules.0.url is required.'],
    ['no conditions', [{ url: URL }], 'missing_field', 'rules.0.if is required.'],
    [
      'an empty list of conditions',
      [{ ...RULE, if: [] }],
      'invalid_rules',
      'rules.0.if must contain 1 to 20 conditions.',
    ],
    [
      'too many conditions',
      [{ ...RULE, if: Array.from({ length: 21 }, () => CONDITION) }],
      'invalid_rules',
      'rules.0.if must contain 1 to 20 conditions.',
    ],
    [
      'an unknown type',
      [RULE, { ...RULE, if: [CONDITION, { type: 'city', in: ['Rome'] }] }],
      'invalid_rules',
      'rules.1.if.1.type must be one of country, region, continent, language, device, os, browser, visitor, referrer, address, query, date, hours.',
    ],
    [
      'no type',
      [{ ...RULE, if: [{}] }],
      'invalid_rules',
      'rules.0.if.0.type must be one of country, region, continent, language, device, os, browser, visitor, referrer, address, query, date, hours.',
    ],
    ['a condition that is no object', [{ ...RULE, if: ['DE'] }], 'invalid_rules', 'rules.0.if.0 must be an object.'],
    ['no values', [{ ...RULE, if: [{ type: 'os' }] }], 'missing_field', 'rules.0.if.0.in is required.'],
    [
      'a value that does not exist',
      [RULE, RULE, RULE, { ...RULE, if: [{ type: 'country', in: ['DE', 'UK'] }] }],
      'invalid_rules',
      'rules.3.if.0.in.1 must be the code of a country (ISO 3166-1 alpha-2) such as DE.',
    ],
    [
      'a URL of another scheme',
      [{ ...RULE, url: 'javascript:alert(1)' }],
      'invalid_rules',
      'rules.0.url cannot have the scheme javascript: use https.',
    ],
    [
      'a URL with a password',
      [{ ...RULE, url: 'https://a:b@example.com/' }],
      'invalid_rules',
      'rules.0.url must not contain a user name or a password.',
    ],
    [
      'a URL that is too long',
      [{ ...RULE, url: URL + 'x'.repeat(8192) }],
      'too_long',
      'rules.0.url must be at most 8192 characters long.',
    ],
    [
      'a name that is too long',
      [{ ...RULE, name: 'x'.repeat(51) }],
      'too_long',
      'rules.0.name must be at most 50 characters long.',
    ],
    [
      'a name of two lines',
      [{ ...RULE, name: 'a\nb' }],
      'invalid_rules',
      'rules.0.name must not contain control characters.',
    ],
    ['a blank name', [{ ...RULE, name: ' \u200b ' }], 'invalid_rules', 'rules.0.name must not be empty: leave it out.'],
    [
      'the name of the default',
      [RULE, { ...RULE, name: 'Default ' }],
      'invalid_rules',
      'rules.1.name must not be "default", the name of the destination without a rule or variant.',
    ],
    [
      'a name that is given twice',
      [{ ...RULE, name: 'ÜBER' }, RULE, { ...RULE, name: ' über' }],
      'invalid_rules',
      'rules.2.name must differ from the names of the other rules and variants of the link, regardless of case.',
    ],
  ])('the rules of a link with %s are refused', (_, rules, code, message) => {
    const error = errorOf(rules);
    expect([error.code, error.status, error.message]).toEqual([code, 400, message]);
    expect(error.faults).toEqual([
      { field: 'rules', ...placeOf(message), sentence: message.replace(/^\S+/, 'This'), detail: message },
      ...error.faults.slice(1),
    ]);
  });

  it('the rules of a link are not read one by one if they are too many', () => {
    const tooMany = Array.from({ length: 1000 }, () => null);
    expect(errorOf(tooMany).faults).toHaveLength(1);
    expect(
      errorOf([
        { ...RULE, if: tooMany },
        { ...RULE, if: [{ ...CONDITION, in: tooMany }] },
      ]).faults,
    ).toHaveLength(2);
  });

  it('the rules of a link list an error for each place', () => {
    const { faults } = errorOf([{ name: 1, if: [{ type: 'country', in: ['UK', 'XX'] }], url: 'x' }, 2]);
    expect(faults.map(({ field, detail }) => [field, detail])).toEqual([
      ['rules', 'rules.0.name must be a string.'],
      ['rules', 'rules.0.if.0.in.0 must be the code of a country (ISO 3166-1 alpha-2) such as DE.'],
      ['rules', 'rules.0.if.0.in.1 must be the code of a country (ISO 3166-1 alpha-2) such as DE.'],
      ['rules', 'rules.0.url must be an absolute http or https URL, such as https://example.com/page.'],
      ['rules', 'rules.1 must be an object.'],
    ]);
  });

  it('the rules of a link have a schema in the API document, with the bounds of their lists', () => {
    const schema = z.toJSONSchema(linkRules(), { io: 'input' });
    expect(schema).toMatchObject({
      type: 'array',
      minItems: 0,
      maxItems: 20,
      items: {
        type: 'object',
        required: ['if', 'url'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', maxLength: 50 },
          if: {
            type: 'array',
            minItems: 1,
            maxItems: 20,
            items: { oneOf: Array.from({ length: 13 }, () => expect.anything()) },
          },
          url: { type: 'string', maxLength: 8192 },
        },
      },
    });
  });
});
