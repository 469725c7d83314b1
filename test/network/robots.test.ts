import { describe, expect, it } from 'vitest';
import { readRobots } from '../../src/network/robots.ts';

const allows = (text: string, path: string) => readRobots(text, 'tersebot')(path);

describe('robots.txt', () => {
  it.each([
    ['an empty file allows all', '', '/a', true],
    ['the rules for all crawlers count where none are for this one', 'User-agent: *\nDisallow: /', '/a', false],
    [
      'rules of its own replace those for all',
      'User-agent: *\nDisallow: /\n\nUser-agent: TerseBot\nDisallow: /b',
      '/a',
      true,
    ],
    ['the name is compared without case and version', 'user-AGENT : tersebot/2.0\ndisallow:/b', '/b/c', false],
    ['rules of another crawler do not count', 'User-agent: TerseBotNews\nDisallow: /', '/a', true],
    [
      'a rule before the first group is none of the crawler',
      'Disallow: /a\n\nUser-agent: TerseBot\nDisallow: /b',
      '/a',
      true,
    ],
    ['a rule before the first group is none for all', 'Disallow: /a\n\nUser-agent: *\nDisallow: /b', '/a', true],
    ['a first group of two agents is that of both', 'User-agent: TerseBot\nUser-agent: x\nDisallow: /a', '/a', false],
    ['several agents share the rules that follow', 'User-agent: x\nUser-agent: TerseBot\nDisallow: /a', '/a', false],
    [
      'several groups of one crawler count together',
      'User-agent: TerseBot\nDisallow: /a\nUser-agent: x\nAllow: /\nUser-agent: tersebot\nDisallow: /b',
      '/b',
      false,
    ],
    ['an empty pattern is no rule', 'User-agent: *\nDisallow:', '/a', true],
    [
      'a group without rules allows all',
      'User-agent: TerseBot\n\nSitemap: https://x.example/s\nUser-agent: *\nDisallow: /',
      '/a',
      false,
    ],
    ['the longest pattern decides', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['the pattern that allows decides between two as long', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['a star stands for any characters', 'User-agent: *\nDisallow: /*/private', '/x/y/private/z', false],
    ['a dollar stands for the end', 'User-agent: *\nDisallow: /*.pdf$', '/a.pdf?x', true],
    ['a pattern up to the end is found at the end', 'User-agent: *\nDisallow: /*.pdf$', '/a.pdf.pdf', false],
    ['a piece is not found twice in the same characters', 'User-agent: *\nDisallow: /ab*b$', '/ab', true],
    ['the query belongs to the path', 'User-agent: *\nDisallow: /*?id=', '/a?id=1', false],
    ['comments are left out', '# x\nUser-agent: * # all\nDisallow: /a # b', '/a', false],
    ['lines end in each of three ways', 'User-agent: *\rDisallow: /a\r\nDisallow: /b\nDisallow: /c', '/b', false],
    ['a byte order mark is left out', '\u{feff}User-agent: *\nDisallow: /', '/a', false],
    ['escapes are compared in one form', 'User-agent: *\nDisallow: /%7ea/%e3%81%82', '/~a/%E3%81%82', false],
    ['characters beyond ASCII are compared with their escapes', 'User-agent: *\nDisallow: /あ', '/%E3%81%82', false],
  ])('%s', (_, text, path, expected) => {
    expect(allows(text, path)).toBe(expected);
  });

  it.each([
    ['the thousandth rule counts', 1000, false],
    ['a rule after the thousandth is left out', 1001, true],
  ])('%s', (_, count, expected) => {
    const rules = Array.from({ length: count - 1 }, (_rule, index) => `Disallow: /other/${index}`);
    expect(allows(`User-agent: *\n${rules.join('\n')}\nDisallow: /a`, '/a')).toBe(expected);
  });

  it.each([
    ['a pattern of 500 characters counts', 500, false],
    ['a longer pattern is left out', 501, true],
  ])('%s', (_, length, expected) => {
    const path = `/${'a'.repeat(length - 1)}`;
    expect(allows(`User-agent: *\nDisallow: ${path}`, path)).toBe(expected);
  });

  it('a hostile file takes a time that grows with its length', () => {
    const rules = Array.from({ length: 2000 }, (_, index) => `Disallow: /${'*a'.repeat(100)}${index}$`);
    expect(allows(`User-agent: *\n${rules.join('\n')}`, `/${'a'.repeat(8000)}`)).toBe(true);
  });
});
