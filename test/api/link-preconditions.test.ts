import { afterEach, describe, expect, it, vi } from 'vitest';
import { failed, newSlug, open, openManager } from '../support/manage.ts';
import { rowsOf, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('If-Match', () => {
  it.each(['PATCH', 'DELETE', 'restore'])('If-Match guards %s against a stale view', async (what) => {
    const { make, ask, read, bearer } = await open();
    const id = await make();
    const etag = (await ask('GET', `/v1/links/${id}`)).headers.get('ETag') ?? '';
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/newer' });
    if (what === 'restore') await ask('DELETE', `/v1/links/${id}`);
    const before = await read(id);
    const send = (tag: string) =>
      what === 'restore'
        ? ask('POST', `/v1/links/${id}/restore`, undefined, { ...bearer, 'If-Match': tag })
        : ask(what, `/v1/links/${id}`, what === 'PATCH' ? { disabled: true } : undefined, {
            ...bearer,
            'If-Match': tag,
          });
    for (const tag of [etag, `W/${etag}`, '"x"', `${etag}, "y",W/"z"`]) {
      expect(await send(tag)).toMatchObject({ status: 412, body: failed('precondition_failed') });
    }
    for (const tag of [
      'nonsense',
      etag.slice(1, -1),
      etag.slice(1),
      '"a" "b"',
      '*, "a"',
      "'1'",
      `"${'a'.repeat(2000)}"`,
    ]) {
      expect(await send(tag), tag).toMatchObject({
        status: 400,
        body: {
          result: 'Failed',
          error:
            'invalid_if_match: If-Match must be the ETag of the link, such as "1795255200000", or *. Keep the quotes.',
        },
      });
    }
    expect(await read(id)).toEqual(before);
    const current = (await ask('GET', `/v1/links/${id}`)).headers.get('ETag');
    expect((await send(`,"x" , ,W/${current},`)).status).toBeLessThan(300);
  });

  // workerd itself drops the header where it is empty on the wire, so the Worker is asked directly.
  it('If-Match is refused if it is empty', async () => {
    const { make, ask, read, bearer } = await openManager(await seedTenant(), openIsolate());
    const id = await make();
    for (const tag of ['', ' ', ',', ' , ,'])
      expect(await ask('PATCH', `/v1/links/${id}`, { disabled: true }, { ...bearer, 'If-Match': tag })).toMatchObject({
        status: 400,
        body: failed('invalid_if_match'),
      });
    expect(await read(id)).toMatchObject({ disabled: false });
  });

  it('If-Match leaves one winner of two edits with one ETag, and one 412', async () => {
    const { make, ask, bearer } = await open();
    const id = await make();
    const etag = (await ask('GET', `/v1/links/${id}`)).headers.get('ETag') ?? '';
    const edits = await Promise.all(
      ['a', 'b'].map((path) =>
        ask('PATCH', `/v1/links/${id}`, { url: `https://example.com/${path}` }, { ...bearer, 'If-Match': etag }),
      ),
    );
    expect(edits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    const winner = edits.find(({ status }) => status === 200);
    expect((await ask('GET', `/v1/links/${id}`)).body).toMatchObject({ url: winner?.body['url'] });
    expect((await rowsOf('link_history')).filter((row) => row['link_id'] === id)).toHaveLength(2);
  });

  it('If-Match is not needed: edits without it are both saved', async () => {
    const { make, ask, read } = await open();
    const id = await make();
    const edits = await Promise.all([
      ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/new' }),
      ask('PATCH', `/v1/links/${id}`, { campaign_name: 'new' }),
    ]);
    expect(edits.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read(id)).toMatchObject({ url: 'https://example.com/new', campaign_name: 'new' });
  });

  it('If-Match gives a slug that two clients ask for at once to one of them', async () => {
    const callers = [await open(), await open()];
    const ids = await Promise.all(callers.map(({ make }) => make()));
    const name = newSlug();
    const edits = await Promise.all(
      callers.map(({ ask }, index) => ask('PATCH', `/v1/links/${ids[index]}`, { slug: name })),
    );
    expect(edits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('If-None-Match', () => {
  it.each(['GET', 'HEAD'])(
    'If-None-Match gets for %s 304 if the link is unchanged, however the tag is written',
    async (method) => {
      const { make, bearer } = await open();
      const id = await make();
      const get = (headers = {}) => call(`/v1/links/${id}`, { method, headers: { ...bearer, ...headers } });
      const first = await get();
      const etag = first.headers.get('ETag') ?? '';
      for (const tag of [etag, `W/${etag}`, `"x" , ${etag}`, '*']) {
        const answer = await get({ 'If-None-Match': tag, Origin: 'https://app.example' });
        expect([answer.status, await answer.text(), answer.headers.get('ETag')], tag).toEqual([304, '', etag]);
        for (const header of ['Cache-Control', 'X-Content-Type-Options', 'Access-Control-Allow-Origin'])
          expect(answer.headers.get(header), header).toBe(first.headers.get(header));
        expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
      }
      for (const tag of ['"x"', '', etag.slice(1, -1)]) expect((await get({ 'If-None-Match': tag })).status).toBe(200);
    },
  );

  it('If-None-Match gets the link once it has been edited', async () => {
    const { make, ask, bearer } = await open();
    const id = await make();
    const { headers } = await ask('GET', `/v1/links/${id}`);
    const known = { ...bearer, 'If-None-Match': headers.get('ETag') ?? '' };
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/newer' });
    const { status, body } = await ask('GET', `/v1/links/${id}`, undefined, known);
    expect([status, body['url']]).toEqual([200, 'https://example.com/newer']);
  });

  it("If-None-Match does not reveal another client's link", async () => {
    const [owner, other] = [await open(), await open()];
    const id = await owner.make();
    const headers = { ...other.bearer, 'If-None-Match': '*' };
    expect((await other.ask('GET', `/v1/links/${id}`, undefined, headers)).status).toBe(404);
  });
});
