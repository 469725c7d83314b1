import { describe, expect, it } from 'vitest';
import { CONFUSABLES } from '../../src/text/confusables.ts';
import { decodeConfusables, encodeConfusables } from '../../src/text/confusables-code.ts';
import { skeletonOf } from '../../src/text/look-alikes.ts';
import { skeletonsOf } from '../../src/text/skeletons.ts';

const lookAlike = (first: string, second: string) =>
  skeletonsOf(second).all.includes(skeletonsOf(first).own) || skeletonsOf(first).all.includes(skeletonsOf(second).own);

describe('two names', () => {
  it.each([
    ['admin', 'ꓮdmin', 'Lisu'],
    ['admin', 'ᗅdmin', 'Canadian syllabics'],
    ['admin', 'ᴀdmin', 'small capitals'],
    ['admin', 'ᴀᴅᴍɪɴ', 'small capitals alone'],
    ['admin', 'admiո', 'Armenian'],
    ['admin', 'аdmіn', 'Cyrillic'],
    ['admin', 'αdmin', 'Greek'],
    ['admin', '𖽀dmin', 'Miao'],
    ['admin', 'Ꭺdmin', 'Cherokee'],
    ['admin', 'ꭺdmin', 'Cherokee, small'],
    ['admin', 'aԁm𑣃n', 'Warang Citi'],
    ['admin', 'ad𑜀in', 'Ahom, for rn'],
    ['admin', 'аdrnin', 'Cyrillic, with rn for m'],
    ['admin', 'adꭇnin', 'a Latin letter, for the r of rn'],
    ['Ian', 'Ⲓan', 'Coptic'],
    ['lan', 'ꓲan', 'Lisu, for l'],
    ['Ian', 'ꓲan', 'Lisu, for I'],
    ['user1', 'userⵏ', 'Tifinagh, for 1'],
    ['bob', 'bဝb', 'Myanmar'],
    ['b0b', 'b߀b', 'NKo, for 0'],
    ['owner', 'סwner', 'Hebrew'],
    ['root', 'ⲅoot', 'Coptic, small'],
    ['Zoë', 'Ζоë', 'Greek and Cyrillic beside a mark'],
    ['Ёлка', 'Ëлка', 'Latin in Cyrillic'],
    ['кошка', 'ᴋошка', 'a small capital in Cyrillic'],
    ['123', '12३', 'Devanagari'],
    ['Hans', 'Ηans', 'a Greek capital'],
    ['Mia', 'Μia', 'another Greek capital'],
  ])('two names look alike: %s and %s (%s)', (first, second) => {
    expect([first, second, lookAlike(first, second)]).toEqual([first, second, true]);
  });

  it.each([
    ['admin', 'ádmin'],
    ['admin', 'adnin'],
    ['admin', 'adrnin'],
    ['bjorn', 'björn'],
    ['Ian', 'lan'],
    ['b0b', 'bob'],
    ['Иван', 'Иваня'],
    ['東京', '東亰'],
    ['Zoë', 'Zoe'],
    ['łukasz', 'lukasz'],
  ])('two names do not look alike: %s and %s', (first, second) => {
    expect([first, second, lookAlike(first, second)]).toEqual([first, second, false]);
  });
});

describe('the table of UTS 39', () => {
  const table = decodeConfusables(CONFUSABLES);

  it('the table of UTS 39 is read as it was written', () => {
    expect(encodeConfusables([...table])).toBe(CONFUSABLES);
    expect(table.size).toBeGreaterThan(2000);
    expect(['ꓮ', 'ᗅ', 'ո', 'Օ', '٥'].map((character) => table.get(character))).toEqual(['A', 'A', 'n', 'O', 'o']);
  });

  it('the table of UTS 39 leaves no letter or digit that stands for one of ASCII without it', () => {
    const missed = [...table].filter(([from, to]) => {
      const readings = skeletonsOf(`x${from}x`).all;
      return /^[A-Za-z2-9]$/.test(to) && !readings.includes(`x${to.toLowerCase()}x`);
    });
    expect(missed).toEqual([]);
  });

  it('the table of UTS 39 keeps what an earlier version has kept among the readings, and names in ASCII as they were', () => {
    for (const name of ['Иван', 'ёлка', 'Ηans', 'ΒΟΤΕ', 'weiß', 'Zoë', 'admiո', 'Ann Lee', '東京'])
      expect([name, skeletonsOf(name).all]).toEqual([name, expect.arrayContaining([skeletonOf(name)])]);
    expect(skeletonsOf('Ann.Lee+1')).toEqual({ own: 'ann.lee+1', all: ['ann.lee+1'] });
  });
});
