import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, until } from '../scripts/support/processes.ts';
import { copyProject } from '../scripts/support/project.ts';
import { ask, makeLink, startServer, type LinkRecord } from '../scripts/support/server.ts';

const folder = copyProject();
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

// The country of a visitor is believed.
const BEHIND_CLOUDFLARE = ['--trust-proxy', '127.0.0.1,::1', '--trust-cloudflare-headers'];

interface Shown {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A stream that is read in the background, until it is left. */
async function watch(origin: string, apiKey: string, lastId?: string) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${origin}/v1/clicks/stream`, {
    headers: { 'X-API-Key': apiKey, ...(lastId !== undefined && { 'Last-Event-ID': lastId }) },
    signal: leaving.signal,
  });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  let text = '';
  const read = async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  };
  // It breaks off when it is left, and when the service is killed.
  void read().catch(() => undefined);
  const clicks = (): Shown[] =>
    [...text.matchAll(/^id: (.+)\nevent: click\ndata: (.+)\n\n/gm)].map(([, id = '', data = '']) => ({
      id,
      data: JSON.parse(data) as Shown['data'],
    }));
  return { clicks, leave: () => leaving.abort() };
}

async function follow(origin: string, { id }: LinkRecord): Promise<void> {
  const headers = { 'User-Agent': FIREFOX, Referer: 'https://news.example/page?private', 'CF-IPCountry': 'AT' };
  expect((await ask(`${origin}/${id}`, { headers })).status).toBe(302);
}

const printed = (output: string, name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(output)?.[1] ?? '';

/** The longest time that the service and this process took for a small request, until it is stopped. */
function measurePauses(origin: string): () => Promise<number> {
  const stopping = new AbortController();
  let longest = 0;
  const measure = async () => {
    while (!stopping.signal.aborted) {
      const from = Date.now();
      await ask(`${origin}/robots.txt`);
      await new Promise((done) => setTimeout(done, 50));
      longest = Math.max(longest, Date.now() - from - 50);
    }
  };
  const measuring = measure();
  return async () => {
    stopping.abort();
    await measuring;
    return longest;
  };
}

/** The longest pause in milliseconds: a machine with longer pauses says nothing about the service. */
const LONGEST_PAUSE = 300;

it('shows a click that comes by HTTP, and continues where it was after the service was killed', async () => {
  const persistTo = makeFolder();
  const first = await startServer({ folder, persistTo, args: BEHIND_CLOUDFLARE });
  const apiKey = printed(first.output(), 'api_key');
  const fields = { client_id: printed(first.output(), 'client_id'), url: 'https://example.com/' };
  const [link, other] = [await makeLink(first.origin, apiKey, fields), await makeLink(first.origin, apiKey, fields)];
  const before = await watch(first.origin, apiKey);
  const pausesOf = measurePauses(first.origin);
  await follow(first.origin, link);
  const followedAt = Date.now();
  await until('the click is shown', () => before.clicks().length > 0);
  const milliseconds = Date.now() - followedAt;
  if ((await pausesOf()) < LONGEST_PAUSE) expect(milliseconds).toBeLessThan(8000);
  const [shown] = before.clicks();
  expect(shown).toEqual({
    id: expect.stringMatching(/^\d+-\d+$/),
    data: {
      at: expect.any(String),
      link_id: link.id,
      short_url: `${first.origin}/${link.id}`,
      country: 'AT',
      referrer: 'news.example',
      device: 'desktop',
      os: 'Linux',
      browser: 'Firefox',
      kind: 'human',
      via: 'link',
      utm_medium: null,
      utm_campaign: null,
      clicks: 1,
    },
  });
  await first.endAll('SIGKILL');
  const second = await startServer({ folder, persistTo, args: BEHIND_CLOUDFLARE });
  const after = await watch(second.origin, apiKey, shown?.id);
  await follow(second.origin, other);
  await until('the next click is shown', () => after.clicks().length > 0);
  expect(after.clicks().map(({ data }) => data['link_id'])).toEqual([other.id]);
});

it('takes a stream away from 20 when its client leaves without a word', async () => {
  const server = await startServer({ folder, persistTo: makeFolder() });
  const apiKey = printed(server.output(), 'api_key');
  const streams = await Promise.all(Array.from({ length: 20 }, () => watch(server.origin, apiKey)));
  const headers = { 'X-API-Key': apiKey };
  const head = async () => (await ask(`${server.origin}/v1/clicks/stream`, { method: 'HEAD', headers })).status;
  expect(await head()).toBe(429);
  const pausesOf = measurePauses(server.origin);
  streams.at(0)?.leave();
  const leftAt = Date.now();
  await until('there is room again', async () => (await head()) === 200);
  const milliseconds = Date.now() - leftAt;
  if ((await pausesOf()) < LONGEST_PAUSE) expect(milliseconds).toBeLessThan(6000);
  // Nothing is an error in that.
  expect(server.errors()).not.toMatch(/exception|Error/);
});
