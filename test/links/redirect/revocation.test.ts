import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdQueue } from '../../support/clicks.ts';
import { seedCaller } from '../../support/forms.ts';
import { seedLink, type LinkRecord, type Tenant } from '../../support/seed.ts';
import { openIsolate, type Call } from '../../support/service.ts';

/**
 * How long an isolate may answer with a state that another one has replaced. Local KV has neither a cache of its own nor a
 * propagation: the seconds of those (docs/architecture.md, "Finding a link") come on top, and no test here can show them.
 */

const OLD = 'https://example.com/old';
const MEMORY_SECONDS = 10;
const CHECK_SECONDS = 60;

// The clock moves when a test moves it.
beforeEach(() => void vi.setSystemTime(Date.now()));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

/** Changes of a link, each with the response afterwards. */
const CHANGES: readonly [name: string, after: string, method: string, body?: object][] = [
  ['disabled', '410', 'PATCH', { disabled: true }],
  ['deleted', '410', 'DELETE'],
  ['retargeted', '302 https://example.com/new', 'PATCH', { url: 'https://example.com/new' }],
];

async function seed(): Promise<{ owner: Tenant; link: LinkRecord }> {
  holdQueue();
  const owner = await seedCaller();
  return { owner, link: await seedLink(owner, { url: OLD }) };
}

async function responseSummary(isolate: Call, link: LinkRecord): Promise<string> {
  const response = await isolate(`/${link.id}`);
  return [response.status, response.headers.get('Location')].filter((word) => word !== null).join(' ');
}

async function change(owner: Tenant, link: LinkRecord, method: string, body?: object): Promise<Call> {
  const isolate = openIsolate();
  const headers = { 'X-API-Key': owner.apiKey, 'Content-Type': 'application/json' };
  const response = await isolate(`/v1/links/${link.id}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return isolate;
}

/**
 * Asks an isolate each second; gives after how many seconds the first new answer came, and that no old one came after it.
 */
async function secondsUntil(after: string, isolate: Call, link: LinkRecord): Promise<number> {
  const answers: string[] = [];
  for (let second = 0; second <= 2 * CHECK_SECONDS + MEMORY_SECONDS; second++) {
    answers.push(await responseSummary(isolate, link));
    later(1);
  }
  const first = answers.indexOf(after);
  expect(new Set(answers.slice(0, first))).toEqual(new Set(first > 0 ? [`302 ${OLD}`] : []));
  expect(new Set(answers.slice(first))).toEqual(new Set([after]));
  return first;
}

describe.each(CHANGES)('a link that another isolate has %s', (_name, after, method, body) => {
  it('a link that another isolate has changed is served so by that isolate at once, and by one that remembers it after MEMORY_SECONDS', async () => {
    const { owner, link } = await seed();
    const remembering = openIsolate({ MEMORY_SECONDS: String(MEMORY_SECONDS) });
    expect(await responseSummary(remembering, link)).toBe(`302 ${OLD}`);
    const changing = await change(owner, link, method, body);
    expect(await responseSummary(changing, link)).toBe(after);
    expect(await secondsUntil(after, remembering, link)).toBe(MEMORY_SECONDS);
  });

  it('a link that another isolate has changed is served so within MEMORY_SECONDS and a minute where its old state got to KV after the new one', async () => {
    const { owner, link } = await seed();
    const cold = openIsolate({ MEMORY_SECONDS: '0' });
    await responseSummary(cold, link);
    await responseSummary(cold, link);
    const remembering = openIsolate({ MEMORY_SECONDS: String(MEMORY_SECONDS) });
    // It compares what KV had with the database now, and not again for a minute.
    expect(await responseSummary(remembering, link)).toBe(`302 ${OLD}`);
    const entry = await env.LINKS.get(`/${link.id}`);
    await change(owner, link, method, body);
    // As if a slower isolate had written it after the change.
    await env.LINKS.put(`/${link.id}`, entry!);
    // The answer that starts the comparison is the last old one.
    expect(await secondsUntil(after, remembering, link)).toBe(CHECK_SECONDS + 1);
  });
});
