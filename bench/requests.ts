/** What the bench sends: requests as a Worker behind Cloudflare gets them, from browsers of many visitors. */

export type Headers = Readonly<Record<string, string>>;

export const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const BROWSER_HEADERS: Headers = {
  'User-Agent': PERSON,
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language': 'en-US,en;q=0.9',
  'Accept-Encoding': 'gzip, deflate, br',
  Referer: 'https://news.example/front',
};

export const VISITORS = 1000;

/** The headers of one of `VISITORS` visitors. The addresses are those set apart for benchmarks (RFC 2544, C.2.2). */
export function visitorHeaders(visitor: number): Headers {
  const number = visitor % VISITORS;
  return { ...BROWSER_HEADERS, 'CF-Connecting-IP': `198.18.${Math.floor(number / 250)}.${(number % 250) + 1}` };
}

/** The body of `POST /v1/links`, with the header that goes with it. */
export function linkForm(fields: Headers): { readonly headers: Headers; readonly body: string } {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body: `${parts.join('')}--b--\r\n` };
}

const LEGIBLE = '6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz';

/** A slug of the form of ours that, in all likelihood, nobody has. */
export function unknownSlug(): string {
  return Array.from({ length: 8 }, () => LEGIBLE[Math.floor(Math.random() * LEGIBLE.length)]).join('');
}

export function shuffled<T>(list: readonly T[]): T[] {
  const ranked = list.map((item) => ({ item, rank: Math.random() }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
