import { describe, expect, it } from 'vitest';
import { markedUrl, PLAIN_SOURCE, sourceOf, withoutMarker } from '../../src/clicks/source.ts';

const via = (search: string) => sourceOf(search).via;

describe('the source of a visit', () => {
  it.each([
    ['', 'link'],
    ['?', 'link'],
    ['?via=qr', 'qr'],
    ['?a=b&via=qr&c', 'qr'],
    ['?via=qr&utm_source=poster', 'qr'],
    ['?via=QR', 'link'],
    ['?Via=qr', 'link'],
    ['?via=qr2', 'link'],
    ['?via=%71r', 'link'],
    ['?xvia=qr', 'link'],
    ['?via=newsletter', 'link'],
    ['?utm_source=newsletter', 'newsletter'],
    ['?utm_source=Newsletter%20May&ref=x', 'newsletter may'],
    ['?utm_source=first&utm_source=second', 'first'],
    ['?utm_source=&ref=ProductHunt', 'producthunt'],
    ['?utm_source=+&ref=', 'link'],
    ['?ref=hn', 'hn'],
    ['?REF=hn', 'link'],
    ['?utm_source=a%0Ab%00%09c', 'a b c'],
    ['?utm_source=%F0%9F%98%80', '😀'],
    ['?utm_source=%FF', '\uFFFD'],
    ['?utm_source==cmd()', '=cmd()'],
  ])('the source of a visit with the query %j is %j', (search, expected) => {
    expect(via(search)).toBe(expected);
  });

  it.each(['link', 'qr', 'QR', 'Link', ' qr ', 'other', 'Other', 'null'])(
    'the source of a visit that names %j, a word of the service, is other',
    (word) => {
      expect(via(`?utm_source=${encodeURIComponent(word)}`)).toBe('other');
      expect(via(`?ref=${encodeURIComponent(word)}`)).toBe('other');
    },
  );

  it('the source of a visit has medium and campaign beside it', () => {
    expect(sourceOf('?utm_medium=E-Mail&utm_campaign=Spring&utm_source=news')).toEqual({
      via: 'news',
      utmMedium: 'e-mail',
      utmCampaign: 'spring',
    });
    expect(sourceOf('?via=qr&utm_medium=other&utm_campaign=')).toEqual({
      via: 'qr',
      utmMedium: 'other',
      utmCampaign: null,
    });
    expect(sourceOf('?utm_content=x&fbclid=y')).toBe(PLAIN_SOURCE);
  });

  it('the source of a visit has at most 64 characters, also where some take two places or grow in lower case', () => {
    expect(via(`?utm_source=${'a'.repeat(65)}`)).toBe('a'.repeat(64));
    expect(via(`?utm_source=${'😀'.repeat(70)}`)).toBe('😀'.repeat(64));
    expect(Array.from(via(`?utm_source=${'İ'.repeat(70)}`))).toHaveLength(64);
    expect(via(`?utm_source=${'a'.repeat(9000)}`)).toBe('link');
  });
});

describe('the marker of a QR code', () => {
  it.each([
    ['?via=qr', ''],
    ['via=qr', ''],
    ['?via=qr&a=b', '?a=b'],
    ['?a=b&via=qr', '?a=b'],
    ['?a=b&via=qr&c=d&via=qr', '?a=b&c=d'],
    ['?via=QR', '?via=QR'],
    ['?via=qrs', '?via=qrs'],
    ['?via=%71r', '?via=%71r'],
    ['?via', '?via'],
    ['?b=via=qr', '?b=via=qr'],
    ['', ''],
  ])('the marker of a QR code is removed from %j, which is then %j', (search, expected) => {
    expect(withoutMarker(search)).toBe(expected);
  });

  it('the marker of a QR code is a parameter of the short URL', () => {
    expect(sourceOf(new URL(markedUrl('https://terse.example/spring')).search).via).toBe('qr');
  });
});
