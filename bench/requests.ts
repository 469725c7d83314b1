/** The requests of the bench, as a Worker behind Cloudflare gets them from browsers of many visitors. */

export type Headers = Readonly<Record<string, string>>;

export const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const AGENTS = [
  PERSON,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
];
const LANGUAGES = ['en-US,en;q=0.9', 'de-AT,de;q=0.9', 'es-MX,es;q=0.9'];
const REFERRERS = ['https://news.example/front', 'https://mail.example/', 'https://forum.example/thread/7'];

const ACCEPTED: Headers = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br',
};

export const VISITORS = 1000;

function pick(list: readonly string[], turn: number): string {
  return list[turn % list.length] ?? '';
}

/** The headers of one of `VISITORS` visitors. The addresses are reserved for benchmarks (RFC 2544, C.2.2). */
export function visitorHeaders(visitor: number): Headers {
  const number = visitor % VISITORS;
  return {
    ...ACCEPTED,
    'User-Agent': pick(AGENTS, number),
    'Accept-Language': pick(LANGUAGES, Math.floor(number / 5)),
    Referer: pick(REFERRERS, Math.floor(number / 15)),
    'CF-Connecting-IP': `198.18.${Math.floor(number / 250)}.${(number % 250) + 1}`,
  };
}

/** The body of `POST /v1/links`, with its header. */
export function linkForm(fields: Headers): { readonly headers: Headers; readonly body: string } {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body: `${parts.join('')}--b--\r\n` };
}

const LEGIBLE = '6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz';

/** A slug in the form of generated ids that is almost certainly unused. */
export function unknownSlug(): string {
  return Array.from({ length: 8 }, () => LEGIBLE[Math.floor(Math.random() * LEGIBLE.length)]).join('');
}

export function shuffled<T>(list: readonly T[]): T[] {
  const ranked = list.map((item) => ({ item, rank: Math.random() }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
