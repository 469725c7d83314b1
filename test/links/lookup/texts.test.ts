import { describe, expect, it } from 'vitest';
import { foundIn, foundInHead, HTML, lookUpPatiently } from '../../support/lookups.ts';

lookUpPatiently();

const NOTHING = { status: 200, title: null, description: null, image: null };

describe('the texts of a destination', () => {
  it('the order of texts is Open Graph, Twitter cards, elements of HTML', async () => {
    const html = '<title>of HTML</title><meta name="description" content="of HTML">';
    const twitter =
      '<meta name="twitter:title" content="of Twitter"><meta name="twitter:description" content="of Twitter">';
    const openGraph =
      '<meta property="og:title" content="of Open Graph"><meta property="og:description" content="of Open Graph">';
    expect(await foundInHead(html)).toEqual({ ...NOTHING, title: 'of HTML', description: 'of HTML' });
    expect(await foundInHead(html + twitter)).toEqual({ ...NOTHING, title: 'of Twitter', description: 'of Twitter' });
    const whole = await foundInHead(html + twitter + openGraph);
    expect(whole).toEqual({ ...NOTHING, title: 'of Open Graph', description: 'of Open Graph' });
  });

  it.each([
    ['a property in upper case', '<META PROPERTY="OG:Title" CONTENT="Sale">', 'Sale'],
    ['a property in the attribute of names', '<meta name="og:title" content="Sale">', 'Sale'],
    ['several properties of one element', '<meta property="og:title twitter:title" content="Sale">', 'Sale'],
    ['attributes without quotation marks', '<meta content=Sale property=og:title>', 'Sale'],
    ['an empty property', '<meta property="og:title" content=" "><title>Sale</title>', 'Sale'],
    ['two of the same property', '<meta property="og:title" content="A"><meta property="og:title" content="B">', 'A'],
    ['two titles', '<title>A</title><title>B</title>', 'A'],
    ['a title over several lines', '<title>\n  Spring\t sale\r\n</title>', 'Spring sale'],
    ['an empty title', '<title> </title>', null],
    ['a title in a comment', '<!-- <title>A</title> --><title>B</title>', 'B'],
    ['a title in a script', '<script>"<title>A</title></head><body>"</script><title>B</title>', 'B'],
    ['control characters', '<title>a\u{7}b\u{85}c</title>', 'a b c'],
    [
      'named references',
      '<title>&lt;b&gt; &amp;amp; &eacute;&hellip;&rsquo;&nbsp;&Omega;&euro;</title>',
      '<b> &amp; é…’ Ω€',
    ],
    [
      'numeric references',
      '<title>&#8217;&#x1F600;&#150;&#0;&#xD800;&#99999999;</title>',
      '’😀–\u{fffd}\u{fffd}\u{fffd}',
    ],
    [
      'references without a semicolon',
      '<title>AT&amp T &copy 2027 &unknown; &copyleft</title>',
      'AT& T © 2027 &unknown; &copyleft',
    ],
    ['references in an attribute', '<meta property="og:title" content="&quot;A&quot; &#39;B&#x27;">', '"A" \'B\''],
  ])('%s: the title is as a browser shows it', async (_, head, title) => {
    expect(await foundInHead(head)).toEqual({ ...NOTHING, title });
  });

  it('texts are cut to what a link can have, and never inside a character', async () => {
    const [face, family] = ['😀', '👩‍👩‍👧'];
    const { title, description } = await foundInHead(
      `<title>${face.repeat(300)}</title><meta name="description" content="a${family.repeat(300)}">`,
    );
    expect(title).toBe(face.repeat(200));
    expect(Array.from(String(description))).toHaveLength(500);
    expect(String(description).isWellFormed()).toBe(true);
  });

  it('a page without a head, and one that ends in a tag, have the texts that come first', async () => {
    expect(await foundIn({ headers: HTML, body: '<title>Sale</title><p>text' })).toEqual({ ...NOTHING, title: 'Sale' });
    expect(await foundIn({ headers: HTML, body: '<title>Sale</title><meta name="descr' })).toEqual({
      ...NOTHING,
      title: 'Sale',
    });
    expect(await foundIn({ headers: HTML, body: '' })).toEqual(NOTHING);
  });

  it('what looks like a text of the head in the body is none', async () => {
    const body = '<head></head><body><title>A</title><svg><title>B</title></svg><meta property="og:title" content="C">';
    expect(await foundIn({ headers: HTML, body })).toEqual(NOTHING);
  });
});

describe('the image of a destination', () => {
  const imageOf = async (image: string, more = '') =>
    (await foundInHead(`${more}<meta property="og:image" content="${image}">`))['image'];

  it('a relative URL is resolved, by the base of the page if it has one', async () => {
    expect(await imageOf('b/c.png?x=1&amp;y=2')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/b\/c\.png\?x=1&y=2$/);
    expect(await imageOf('//cdn.example/c.png')).toBe('http://cdn.example/c.png');
    expect(await imageOf('c.png', '<base href="https://cdn.example/x/y">')).toBe('https://cdn.example/x/c.png');
    expect(await imageOf('c.png', '<base href="mailto:a@b.example">')).toBeNull();
    expect(await imageOf(' https://cdn.example/ü ')).toBe('https://cdn.example/%C3%BC');
  });

  it.each([
    ['data', 'data:image/png;base64,AAAA'],
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['a URL with a password', 'https://user:secret@cdn.example/c.png'],
    ['a URL with a typing error', 'https://a,b.example/c.png'],
    ['a URL of this service', 'https://terse.test/c.png'],
    ['a URL that is too long', `https://cdn.example/${'a'.repeat(8192)}`],
    ['half a URL', 'https://'],
  ])('%s is no image', async (_, image) => {
    expect(await imageOf(image)).toBeNull();
  });
});

describe('the character set of a destination', () => {
  const base64 = (text: string, encoding: BufferEncoding = 'latin1') => Buffer.from(text, encoding).toString('base64');
  const [BOM, filler] = ['\u{ef}\u{bb}\u{bf}', `<!-- ${'x'.repeat(1100)} -->`];
  const utf8 = Buffer.from('Grüße').toString('latin1');

  it.each([
    ['the header', 'text/html; charset="ISO-8859-1"', '<title>Gr\u{fc}\u{df}e</title>', 'Grüße'],
    ['the header before meta', 'text/html;charset=iso-8859-2', '<meta charset=utf-8><title>\u{a3}</title>', 'Ł'],
    [
      'an encoding of several bytes',
      'text/html; charset=Shift_JIS',
      '<title>\u{83}\u{65}\u{83}\u{58}\u{83}\u{67}</title>',
      'テスト',
    ],
    ['meta', 'text/html', '<meta charset="windows-1251"><title>\u{cf}\u{f0}</title>', 'Пр'],
    [
      'meta with http-equiv',
      'text/html',
      '<meta http-equiv="Content-Type" content="text/html; charset=gbk"><title>\u{d6}\u{d0}</title>',
      '中',
    ],
    ['meta in a comment', 'text/html', `<!-- <meta charset=gbk> --><title>${utf8}</title>`, 'Grüße'],
    [
      'meta that says UTF-16, which it cannot be',
      'text/html',
      `<meta charset=utf-16le><title>${utf8}</title>`,
      'Grüße',
    ],
    [
      'an XML declaration',
      'application/xhtml+xml',
      '<?xml version="1.0" encoding="iso-8859-1"?><title>\u{fc}</title>',
      'ü',
    ],
    ['a byte order mark before the header', 'text/html; charset=iso-8859-1', `${BOM}<title>${utf8}</title>`, 'Grüße'],
    ['an unknown name', 'text/html; charset=klingon', `<title>${utf8}</title>`, 'Grüße'],
    ['nothing, in UTF-8', 'text/html', `${filler}<title>${utf8}</title>`, 'Grüße'],
    ['nothing, in an old encoding', 'text/html', `${filler}<title>Gr\u{fc}\u{df}e</title>`, 'Grüße'],
    ['nothing, in an old encoding and few bytes', 'text/html', '<title>Gr\u{fc}\u{df}e</title>', 'Grüße'],
  ])('%s: the title has its letters', async (_, type, page, title) => {
    expect(await foundIn({ headers: { 'Content-Type': type }, base64: base64(page) })).toMatchObject({ title });
  });

  it('UTF-16 is known by its byte order mark, and by the header', async () => {
    const page = Buffer.from('\u{feff}<title>Grüße</title>', 'utf16le');
    expect(await foundIn({ headers: { 'Content-Type': 'text/html' }, base64: page.toString('base64') })).toMatchObject({
      title: 'Grüße',
    });
    const bare = {
      headers: { 'Content-Type': 'text/html; charset=utf-16le' },
      base64: base64('<title>Grüße</title>', 'utf16le'),
    };
    expect(await foundIn(bare)).toMatchObject({ title: 'Grüße' });
  });
});
