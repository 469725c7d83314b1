import * as fc from 'fast-check';

/** Texts that a caller may put into any part of a request. */

/** Words that stand for the caller's own values, which `fill` puts in. */
const OWN = ['{key}', '{access}', '{api}', '{basic}', '{client}', '{link}', '{sec}'] as const;

const NASTY = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '%',
  '%00',
  '%2e%2e',
  '%ff',
  '\0',
  '\r\nSet-Cookie: a=b',
  '\u202e',
  '\ud800',
  'İ',
  'ﬁ',
  '😀'.repeat(70),
  'a'.repeat(5000),
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'http://',
  'https://user:pass@example.com/',
  'https://terse.test/',
  'https://[::1]/',
  'https://example.com/?a=\r\nb',
  '//evil.example',
  '__proto__',
  'constructor',
  '-1',
  '1e999',
  '99999999999999999999',
  'NaN',
  'null',
  'true',
  '{}',
  '[]',
  '{"a":',
  '[[[[[[[[[[[[[[[[[[[[',
  '2026-02-30',
  '2027-01-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  'Europe/Vienna',
  '\u0085\u2028\u2029',
  '=HYPERLINK("https://evil.example")',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover=alert(1) x='",
  '</textarea><script>alert(1)</script>',
  'xn--',
  '[{"if":[{"type":"language","in":["de-x-a"]}],"url":"https://example.com/"}]',
  '[{"name":"\\ud800","if":[{"type":"query","name":"\\u0000"}],"url":"https://example.com/"}]',
  '{"title":"<script>alert(1)</script>"}',
  'http://[::ffff:192.0.2.7]/',
  'https://evil.example../',
];

export const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  { weight: 3, arbitrary: fc.constantFrom(...OWN) },
  { weight: 1, arbitrary: fc.webUrl() },
);

/** A header value that a Request accepts. */
export const headerText = text.map((value) =>
  value
    .replace(/[^\t -~]/g, '')
    .trim()
    .slice(0, 4000),
);
