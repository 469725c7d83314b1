import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Target } from '../../../src/links/link.ts';
import { Memory } from '../../../src/links/redirect/memory.ts';
import { logged } from '../../support/clicks.ts';
import { open } from '../../support/manage.ts';
import { openIsolate } from '../../support/service.ts';
import { byPerson, ledTo } from '../../support/visits.ts';

/** Links that are more than plain ones, in memory and in KV. */

afterEach(() => void vi.restoreAllMocks());

const RULE = { name: 'Rule 1', if: [{ type: 'visitor', in: ['human'] }], url: 'https://example.com/rule' };
const VARIANT = { name: 'A', url: 'https://example.com/a', weight: 1 };

async function seed() {
  const manager = await open();
  const id = await manager.make({ url: 'https://example.com/right', redirect_status: 301 });
  const { revision } = (await env.DB.prepare('SELECT revision FROM links WHERE id = ?')
    .bind(id)
    .first<{ revision: number }>()) ?? { revision: 0 };
  const entry = {
    linkId: id,
    clientId: manager.tenant.clientId,
    url: 'https://example.com/cached',
    campaignName: null,
    expiresAt: null,
    ending: null,
    extras: null,
    revision,
    at: Date.now(),
  };
  const store = (more: object) => env.LINKS.put(`/${id}`, JSON.stringify({ ...entry, ...more }));
  return { id, entry, store };
}

describe('an entry of KV', () => {
  it.each([
    ['no extras', null, [302, 'https://example.com/cached']],
    ['a status', { redirectStatus: 307 }, [307, 'https://example.com/cached']],
    ['rules', { rules: [RULE] }, [302, 'https://example.com/rule']],
    ['variants', { variants: [VARIANT, { ...VARIANT, name: 'B' }] }, [302, 'https://example.com/a']],
    [
      'a condition of a newer version, which holds for no visitor',
      { rules: [{ ...RULE, if: [{ type: 'weather' }] }] },
      [302, 'https://example.com/cached'],
    ],
  ])('an entry of KV is used with %s', async (_, extras, expected) => {
    const { id, store } = await seed();
    await store({ extras });
    expect(ledTo(await openIsolate()(`/${id}`, byPerson()))).toEqual(expected);
  });

  it('an entry of KV of the version before, which knew no extras, is a miss', async () => {
    const { id, entry } = await seed();
    const { extras: _, ...former } = entry;
    await env.LINKS.put(`/${id}`, JSON.stringify(former));
    const problems = logged();
    expect(ledTo(await openIsolate()(`/${id}`, byPerson()))).toEqual([301, 'https://example.com/right']);
    expect(problems().map(({ event }) => event)).toEqual(['kv_get_failed']);
  });

  it.each<readonly [what: string, extras: unknown]>([
    ['a number', 7],
    ['a text', 'x'],
    ['a list', [1]],
    ['a status that is none', { redirectStatus: 200 }],
    ['a status that no response can have', { redirectStatus: 99 }],
    ['a status as a text', { redirectStatus: '301' }],
    ['a start that is no instant', { startsAt: 'soon' }],
    ['a limit that is no number', { maxClicks: '5', limitedAt: 1 }],
    ['a limit of unknown begin', { maxClicks: 5 }],
    ['a password of unknown time', { passwordAt: null }],
    ['blocked hosts that are no list', { blockedHosts: 'bad.example' }],
    ['an expired_url that is no URL of the web', { expiredUrl: 'javascript:alert(1)' }],
    ['a fallback that is no URL of the web', { fallback: 'myapp://open' }],
    ['an unknown way to forward a query', { forwardQuery: 'all' }],
    ['a language that has no pages', { language: 'nl' }],
    ['rules that are null', { rules: null }],
    ['rules that are no list', { rules: { 0: RULE } }],
    ['a rule that is none', { rules: [7] }],
    ['a rule without conditions', { rules: [{ name: 'a', url: RULE.url }] }],
    ['a rule whose conditions are damaged', { rules: [{ ...RULE, if: [{ type: 'country', in: 7 }] }] }],
    ['a rule with no condition in its list', { rules: [{ ...RULE, if: [null] }] }],
    ['a rule that leads to no URL of the web', { rules: [{ ...RULE, url: 'javascript:alert(1)' }] }],
    ['a rule with a broken URL', { rules: [{ ...RULE, url: 'https://example.com/\r\nX: y' }] }],
    ['a rule without a name', { rules: [{ ...RULE, name: 7 }] }],
    [
      'hours in a zone that is none',
      { rules: [{ ...RULE, if: [{ type: 'hours', from: '00:00', until: '23:59', tz: 'Mars/Olympus' }] }] },
    ],
    [
      'a blocked host, and a rule that leads to half a host',
      { rules: [{ ...RULE, url: 'https://[' }], blockedHosts: ['bad.example'] },
    ],
    ['a variant without a weight', { variants: [{ ...VARIANT, weight: undefined }, VARIANT] }],
    ['a variant that leads nowhere', { variants: [{ ...VARIANT, url: '' }, VARIANT] }],
    ['a variant without a URL', { variants: [{ name: 'a', weight: 1 }, VARIANT] }],
    ['a preview that is a list', { preview: [] }],
    ['a preview whose title is no text', { preview: { title: {} } }],
    ['a preview whose image is no URL of the web', { preview: { image: 'javascript:alert(1)' } }],
  ])('an entry of KV with %s is a miss', async (_, extras) => {
    const { id, store } = await seed();
    await store({ extras });
    const problems = logged();
    expect(ledTo(await openIsolate()(`/${id}`, byPerson()))).toEqual([301, 'https://example.com/right']);
    expect(problems().map(({ event }) => event)).toEqual(['kv_get_failed']);
  });

  it('an entry of KV holds all that a visit needs, and no password', async () => {
    const manager = await open();
    const id = await manager.make({
      url: 'https://example.com/',
      rules: [RULE],
      variants: [VARIANT, { ...VARIANT, name: 'B' }],
      redirect_status: 308,
      forward_query: 'keep',
      starts_at: '2026-01-01T00:00:00Z',
      expired_url: 'https://example.com/over',
      fallback: 'https://example.com/app',
      max_clicks: 5,
      preview: { title: 'x' },
      inspectable: false,
      language: 'zh-Hans',
      title: 'not for visitors',
      password: 'open sesame',
    });
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    await isolate(`/${id}`);
    await isolate(`/${id}`);
    const row = await env.DB.prepare('SELECT * FROM links WHERE id = ?').bind(id).first<Record<string, number>>();
    expect(await env.LINKS.get(`/${id}`, 'json')).toEqual({
      linkId: id,
      clientId: manager.tenant.clientId,
      url: 'https://example.com/',
      campaignName: null,
      expiresAt: null,
      ending: null,
      extras: {
        startsAt: Date.parse('2026-01-01T00:00:00Z'),
        maxClicks: 5,
        limitedAt: row?.['created_at'],
        expiredUrl: 'https://example.com/over',
        rules: [RULE],
        variants: [VARIANT, { ...VARIANT, name: 'B' }],
        fallback: 'https://example.com/app',
        redirectStatus: 308,
        forwardQuery: 'keep',
        preview: { title: 'x' },
        inspectable: false,
        language: 'zh-Hans',
        passwordAt: row?.['password_at'],
      },
      revision: row?.['revision'],
      at: expect.any(Number),
    });
    expect(JSON.stringify(await env.LINKS.get(`/${id}`))).not.toContain('scrypt');
  });

  it('an entry of KV of the longest rules is read', async () => {
    const manager = await open();
    const rules = Array.from({ length: 8 }, (_, index) => ({
      if: [{ type: 'visitor', in: [index === 7 ? 'human' : 'bot'] }],
      url: `https://example.com/${String(index).repeat(1900)}`,
    }));
    const id = await manager.make({ url: `https://example.com/${'ü'.repeat(1300)}`, rules });
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    for (let visit = 0; visit < 2; visit++) await isolate(`/${id}`);
    const problems = logged();
    expect(ledTo(await openIsolate()(`/${id}`, byPerson()))).toEqual([302, rules[7]!.url]);
    expect(problems()).toEqual([]);
  });
});

describe('memory', () => {
  const targetOf = (linkId: string, characters: number): Target => ({
    linkId,
    clientId: 'client',
    url: 'https://example.com/',
    campaignName: null,
    expiresAt: null,
    ending: null,
    extras: characters === 0 ? null : { expiredUrl: 'x'.repeat(characters) },
    revision: 1,
  });
  const remembered = (memory: Memory, prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => memory.find(`/${prefix}${index}`)).filter((it) => it !== null).length;
  const fill = (memory: Memory, prefix: string, count: number, characters: number) => {
    for (let index = 0; index < count; index++)
      memory.remember(`/${prefix}${index}`, targetOf(`${prefix}${index}`, characters));
  };

  it('memory holds 2 MiB of links over 2 KiB, the newest, which drive out no others', () => {
    const memory = new Memory(60_000);
    fill(memory, 'plain', 10_000, 0);
    // Each of them is counted with some 6 KiB.
    fill(memory, 'large', 1000, 1000);
    expect(remembered(memory, 'plain', 10_000)).toBe(10_000);
    const large = remembered(memory, 'large', 1000);
    // 2 MiB: each link takes 6 bytes for each of 1,017 characters of JSON, and some 350 bytes besides.
    expect([large > 310, large < 330, memory.find('/large999') !== null]).toEqual([true, true, true]);
  });

  it('memory no longer counts what it forgets or replaces of long links', () => {
    const memory = new Memory(60_000);
    fill(memory, 'large', 300, 1000);
    for (let index = 0; index < 300; index++) memory.forget(`/large${index}`);
    fill(memory, 'again', 300, 1000);
    fill(memory, 'again', 300, 1000);
    expect(remembered(memory, 'again', 300)).toBe(300);
    // Smaller ones are no large ones.
    fill(memory, 'again', 300, 10);
    fill(memory, 'third', 300, 1000);
    expect([remembered(memory, 'again', 300), remembered(memory, 'third', 300)]).toEqual([300, 300]);
  });
});
