export * from './objects.ts';

/** The floor of a redirect that counts: it reads what a hot redirect reads of a request, and writes the same headers. */
const READ = [
  'Sec-Purpose',
  'Purpose',
  'X-Purpose',
  'X-Moz',
  'X-FB-HTTP-Engine',
  'DNT',
  'Sec-GPC',
  'Referer',
  'User-Agent',
  'Accept-Language',
  'CF-Connecting-IP',
] as const;
const FOUND = {
  status: 302,
  headers: new Headers({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' }),
};

export default {
  fetch: ({ url, method, headers, cf }) => {
    const read = READ.map((name) => headers.get(name));
    const isRead = method === 'GET' && url !== '' && read.length > 0 && cf?.country !== null;
    const response = new Response(null, FOUND);
    response.headers.set('Location', isRead ? 'https://example.com/a/page' : 'https://example.com/');
    return response;
  },
} satisfies ExportedHandler<Env>;
