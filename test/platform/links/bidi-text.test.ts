import { expect, it } from 'vitest';
import { Isolated, isolatedText } from '../../../src/platform/links/bidi-text.tsx';

const markupOf = (part: unknown): string => String(part);

it.each([
  ['example.com/a?b=c', 'example.com/a?b=c'],
  [
    '\u05d0.example/\u05d1?c',
    '<bdi dir="ltr"><bdi>\u05d0</bdi>.<bdi>example</bdi>/<bdi>\u05d1</bdi>?<bdi>c</bdi></bdi>',
  ],
  ['/\u0627/', '<bdi dir="ltr">/<bdi>\u0627</bdi>/</bdi>'],
])('the parts of %j keep their order beside text from right to left', (text, markup) => {
  expect(markupOf(Isolated({ text }))).toBe(markup);
});

it.each([
  ['example.com/a', 'example.com/a'],
  ['\u05d0.example/', '\u2066\u2068\u05d0\u2069.\u2068example\u2069/\u2069'],
])('the parts of %j keep their order in a sentence', (text, isolated) => {
  expect(isolatedText(text)).toBe(isolated);
});
