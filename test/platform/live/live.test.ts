import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliveryOf } from '../../statistics/support/statistics.ts';
import { deliver, packOf, type PackedBy } from '../../support/clicks.ts';
import { failD1 } from '../../support/d1.ts';
import { eventsOf } from '../../support/event-streams.ts';
import { bearerOf, seedCaller } from '../../support/forms.ts';
import { ask, seedMember } from '../../support/management.ts';
import { form, openBrowser, PAGE_HEADERS, pageHeadersOf, textOf } from '../../support/platform.ts';
import { seedLink, type LinkRecord } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const count = (link: LinkRecord, clicks: readonly PackedBy[]) => deliver([packOf(link, clicks)]);

/** The cells of the rows, as texts. */
function rowsOf(page: string): string[][] {
  const [, body = ''] = /The last clicks, newest first.*?<tbody[^>]*>(.*?)<\/tbody>/.exec(page) ?? [];
  return [...body.matchAll(/<tr.*?<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell.replaceAll(/<[^>]+>/g, '')),
  );
}

async function seed() {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const path = `/platform/c/${caller.clientId}`;
  return { caller, browse, path, live: `${path}/live`, link: await seedLink(caller) };
}

describe('the page of live clicks', () => {
  it('the page of live clicks says what to do while there are none, and is linked from the overview and from a link', async () => {
    const { browse, path, live, link } = await seed();
    const page = await textOf(browse(live));
    expect(page).toContain('<h2>No recent clicks</h2>');
    expect(page).toContain(`data-stream="${live}/stream"`);
    expect(page).toMatch(/<div class="panel" data-live-rows="[^"]*" hidden=""><table/);
    expect(await textOf(browse(path))).toContain(`href="${live}"`);
    expect(await textOf(browse(`${path}/links/${link.id}`))).toContain(`href="${live}?link_id=${link.id}"`);
    expect(await textOf(browse(`${path}/links/${link.id}/details`))).toContain(`href="${live}?link_id=${link.id}"`);
  });

  it('the page of live clicks shows the last clicks, newest first, in the time zone of the user', async () => {
    const { caller, browse, live, link } = await seed();
    await browse('/platform/account/time-zone', form({ tz: 'Europe/Berlin' }));
    const other = await seedLink(caller);
    const at = Date.parse('2026-05-20T12:00:00Z');
    vi.setSystemTime(at + 2000);
    await count(link, [{ at, country: 'AT', referrer: 'news.example', clicks: 2 }]);
    await count(other, [{ at: at + 1000, userAgent: null }]);
    const page = await textOf(browse(live));
    expect(rowsOf(page)).toEqual([
      [`terse.test/${other.id}`, '14:00:01', 'Unknown', 'No referrer', 'Unknown', 'Unknown', 'Bot'],
      [
        `terse.test/${link.id}`,
        '14:00:00',
        'Austria',
        'news.example',
        'Unknown',
        'Computer, Chrome, Windows',
        'Person, 2 clicks',
      ],
    ]);
    expect(page).toContain('Clicks until 14:00:02. Refresh to see newer ones.');
    expect(page).toContain(`href="${live}?link_id=${link.id}"`);
    const ofLink = await textOf(browse(`${live}?link_id=${link.id}`));
    expect(rowsOf(ofLink)).toHaveLength(1);
    expect(ofLink).toContain(`data-stream="${live}/stream?link_id=${link.id}"`);
    expect(ofLink).toContain(`href="${live}"`);
    vi.useRealTimers();
    expect((await ask(caller, 'DELETE', `/v1/links/${other.id}`)).status).toBe(204);
    expect(rowsOf(await textOf(browse(live)))[0]![0]).toBe(`Deleted link (${other.id})`);
    expect((await browse(`${live}?link_id=${other.id}`)).status).toBe(410);
  });

  it('the page of live clicks is not found for others, and of their links neither', async () => {
    const [one, two] = [await seed(), await seed()];
    for (const path of [two.live, `${two.live}/stream`, `${one.live}?link_id=${two.link.id}`]) {
      expect((await one.browse(path)).status).toBe(404);
    }
    expect((await one.browse(`${one.live}/stream?link_id=${two.link.id}`)).status).toBe(404);
    expect((await one.browse(one.live, { headers: { Cookie: '' } })).status).toBe(303);
    expect((await one.browse(`${one.live}/stream`, { headers: { Cookie: '' } })).status).toBe(303);
  });
});

describe('the stream of the page', () => {
  it('the stream of the page has a row of the table for each click, for a member too', async () => {
    const { caller, live, link } = await seed();
    const member = await openBrowser(await seedMember(caller));
    const response = await member.browse(`${live}/stream`);
    expect(pageHeadersOf(response)).toEqual(PAGE_HEADERS);
    const events = await eventsOf(response);
    await count(link, [{ country: 'AT', clicks: 3 }]);
    const { data } = (await events.expect('click')) as { data: { row: string; clicks: number } };
    expect(data.clicks).toBe(3);
    expect(data.row).toMatch(/^<tr role="row"><th scope="row" role="rowheader"><a href="[^"]+">/);
    expect(data.row).toContain(`<bdi>terse.test/${link.id}</bdi>`);
    expect(data.row).toContain('data-label="Visitor">Person, 3 clicks</td></tr>');
  });

  it('the stream of the page has the id of a link that cannot be read, and does not call it deleted', async () => {
    const { browse, live, link } = await seed();
    const events = await eventsOf(await browse(`${live}/stream`));
    vi.spyOn(console, 'error').mockReturnValue();
    failD1();
    await env.STATISTICS.getByName(live.split('/')[3]!).append(deliveryOf({ link: link.id }));
    const { data } = (await events.expect('click')) as { data: { row: string } };
    expect(data.row).toContain(`<span class="quiet">Link ${link.id}</span>`);
    vi.restoreAllMocks();
  });

  it('the stream of the page does not keep a session from becoming idle, as the page does', async () => {
    const { caller, browse, live } = await seed();
    const sessions = `FROM sessions s WHERE s.family_id IN (SELECT id FROM token_families WHERE user_id = ?1)`;
    const hourAgo = Date.now() - 3_600_000;
    await env.DB.prepare(`UPDATE sessions AS s SET seen_at = ?2 ${sessions.replace('FROM sessions s ', '')}`)
      .bind(caller.userId, hourAgo)
      .run();
    const seenAt = () => env.DB.prepare(`SELECT s.seen_at ${sessions}`).bind(caller.userId).first<number>('seen_at');
    await eventsOf(await browse(`${live}/stream`));
    expect(await seenAt()).toBe(hourAgo);
    await browse(live);
    expect(await seenAt()).toBeGreaterThan(hourAgo);
  });

  it('the stream of the page counts among the 20 of the client, like those of the API', async () => {
    const { caller, browse, live } = await seed();
    const openOne = async () => call('/v1/clicks/stream', { headers: bearerOf(caller) });
    for (let i = 0; i < 19; i++) await eventsOf(await openOne());
    await eventsOf(await browse(`${live}/stream`));
    expect((await openOne()).status).toBe(429);
    expect((await browse(`${live}/stream`)).status).toBe(429);
  });

  it('the stream of the page continues where the page was read, and after the event that the query or the header names', async () => {
    const { browse, live, link } = await seed();
    const last = /data-last="([^"]+)"/.exec(await textOf(browse(live)))?.[1] ?? '';
    await count(link, [{ country: 'AT' }, { country: 'DE' }]);
    const open = async (id: string, headers = {}) =>
      eventsOf(await browse(`${live}/stream?last_event_id=${id}`, { headers }));
    const first = await open(last);
    const rows = [await first.expect('click'), await first.expect('click')];
    expect(rows.map(({ data }) => JSON.stringify(data))).toMatchObject([
      expect.stringContaining('Austria'),
      expect.stringContaining('Germany'),
    ]);
    expect(await (await open(rows[0]!.id!)).expect('click')).toEqual(rows[1]);
    expect(await (await open(last, { 'Last-Event-ID': rows[0]!.id! })).expect('click')).toEqual(rows[1]);
    const page = await textOf(browse(live));
    expect(page).toContain(`data-last="${rows[1]!.id}"`);
  });
});
