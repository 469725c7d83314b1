/** Values of the fields that say where a link leads, for whom and how often, for tests that try each of them. */

interface Case {
  readonly name: string;
  /** The value in JSON. */
  readonly value: unknown;
  /** The value in responses, if that differs. */
  readonly stored?: unknown;
  readonly other: unknown;
  readonly bad: readonly (readonly [value: unknown, error: string])[];
  /** True if the field needs a custom domain. */
  readonly isOfDomain?: true;
}

const DE = { if: [{ type: 'country', in: ['de'] }], url: 'https://example.com/de' };
const DE_STORED = {
  name: 'Rule 1',
  if: [{ type: 'country', in: ['DE'] }],
  url: 'https://example.com/de',
};
const [A, B] = ['A', 'B'].map((name) => ({ name, url: `https://example.com/${name}`, weight: 1 })) as [object, object];
const STATUSES = 'must be 301, 302, 307 or 308';
const CLICKS = 'must be a whole number from 1 to 1000000000';

export const CASES: readonly Case[] = [
  {
    name: 'rules',
    value: [DE],
    stored: [DE_STORED],
    other: [{ ...DE_STORED, name: 'Germany' }],
    bad: [
      [[{ ...DE, url: 'data:a' }], 'invalid_rules: rules.0.url cannot have the scheme data: use https.'],
      [[{ ...DE, if: [] }], 'invalid_rules: rules.0.if must contain 1 to 20 conditions.'],
      [Array.from({ length: 21 }, () => DE), 'invalid_rules: rules must contain 1 to 20 rules.'],
      [{}, 'invalid_rules: rules must be an array.'],
      [[{ ...DE, weight: 1 }], 'invalid_rules: rules.0 must not have the field "weight".'],
    ],
  },
  {
    name: 'variants',
    value: [A, { url: 'https://example.com/B', weight: 1 }],
    stored: [A, { ...B, name: 'Variant A' }],
    other: [A, B],
    bad: [
      [[A], 'invalid_variants: variants must contain 2 to 8 variants.'],
      [[A, { ...B, weight: 0 }], 'invalid_variants: variants.1.weight must be from 1 to 100.'],
      [
        [A, A],
        'invalid_variants: variants.1.name must differ from the names of the other rules and variants of the link, regardless of case.',
      ],
    ],
  },
  {
    name: 'redirect_status',
    value: 301,
    other: 308,
    bad: [
      [303, `invalid_redirect_status: redirect_status ${STATUSES}.`],
      ['301', `invalid_redirect_status: redirect_status ${STATUSES}.`],
    ],
  },
  {
    name: 'forward_query',
    value: 'keep',
    other: 'override',
    bad: [['all', 'invalid_forward_query: forward_query must be keep or override.']],
  },
  {
    name: 'forward_path',
    value: true,
    other: false,
    isOfDomain: true,
    bad: [['yes', 'invalid_forward_path: forward_path must be a boolean.']],
  },
  {
    name: 'ask_first',
    value: true,
    other: false,
    bad: [['yes', 'invalid_ask_first: ask_first must be a boolean.']],
  },
  {
    name: 'language',
    value: 'de',
    other: 'zh-Hans',
    bad: [
      ['nl', 'invalid_language: language must be one of ar, de, en, es, fr, ja, pt, zh-Hans.'],
      ['DE', 'invalid_language: language must be one of ar, de, en, es, fr, ja, pt, zh-Hans.'],
    ],
  },
  {
    name: 'starts_at',
    value: '2026-06-01T00:00:00+02:00',
    stored: '2026-05-31T22:00:00.000Z',
    other: '2026-07-01T00:00:00.000Z',
    bad: [['soon', 'invalid_starts_at: starts_at must be an ISO 8601 instant such as 2027-01-01T00:00:00Z.']],
  },
  {
    name: 'expired_url',
    value: 'https://example.com/ö',
    stored: 'https://example.com/%C3%B6',
    other: 'https://example.com/over',
    bad: [
      [
        'x',
        'invalid_expired_url: expired_url must be an absolute http or https URL, such as https://example.com/page.',
      ],
      ['https://a:b@c.example/', 'invalid_expired_url: expired_url must not contain a user name or a password.'],
    ],
  },
  {
    name: 'fallback',
    value: 'example.com/ö',
    stored: 'https://example.com/%C3%B6',
    other: 'https://example.com/app',
    bad: [
      ['tel:+15550100', 'invalid_fallback: fallback cannot have the scheme tel: use https.'],
      ['https://a:b@c.example/', 'invalid_fallback: fallback must not contain a user name or a password.'],
    ],
  },
  {
    name: 'max_clicks',
    value: 5,
    other: 1_000_000_000,
    bad: [
      [0, `invalid_max_clicks: max_clicks ${CLICKS}.`],
      [1.5, 'invalid_max_clicks: max_clicks must be a whole number.'],
      [1_000_000_001, `invalid_max_clicks: max_clicks ${CLICKS}.`],
    ],
  },
  {
    name: 'preview',
    value: { title: 'Größe', image: 'https://example.com/ä.png' },
    stored: { title: 'Größe', image: 'https://example.com/%C3%A4.png' },
    other: { description: 'All of it' },
    bad: [
      [{}, 'invalid_preview: preview must have a title, a description or an image: null clears it.'],
      [{ image: 'data:x' }, 'invalid_preview: preview.image cannot have the scheme data: use https.'],
      [{ title: 'x'.repeat(201) }, 'too_long: preview.title must be at most 200 characters long.'],
    ],
  },
  {
    name: 'inspectable',
    value: false,
    other: true,
    bad: [[0, 'invalid_inspectable: inspectable must be a boolean.']],
  },
];
