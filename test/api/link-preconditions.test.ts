import { afterEach, describe, expect, it, vi } from 'vitest';
import { failed, newSlug, open } from '../support/manage.ts';
import { rowsOf } from '../support/seed.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('If-Match', () => {
  it.each(['PATCH', 'DELETE', 'restore'])('guards %s against a stale view', async (what) => {
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
    for (const tag of [etag, `W/${etag}`, '"x"', 'nonsense']) {
      expect(await send(tag)).toMatchObject({ status: 412, body: failed('precondition_failed') });
    }
    expect(await read(id)).toEqual(before);
    const current = (await ask('GET', `/v1/links/${id}`)).headers.get('ETag');
    expect((await send(`"x", W/${current}`)).status).toBeLessThan(300);
  });

  it('leaves one winner of two edits with one ETag, and one 412', async () => {
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

  it('is not needed: of edits without it both are made', async () => {
    const { make, ask, read } = await open();
    const id = await make();
    const edits = await Promise.all([
      ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/new' }),
      ask('PATCH', `/v1/links/${id}`, { campaign_name: 'new' }),
    ]);
    expect(edits.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read(id)).toMatchObject({ url: 'https://example.com/new', campaign_name: 'new' });
  });

  it('gives a slug that two clients ask for at once to one of them', async () => {
    const callers = [await open(), await open()];
    const ids = await Promise.all(callers.map(({ make }) => make()));
    const name = newSlug();
    const edits = await Promise.all(
      callers.map(({ ask }, index) => ask('PATCH', `/v1/links/${ids[index]}`, { slug: name })),
    );
    expect(edits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});
