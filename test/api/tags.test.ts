import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { MAX_TAGS } from '../../src/links/tags/limits.ts';
import { importFile, outcomesOf } from '../support/files.ts';
import { failed, open, type Manager } from '../support/manage.ts';

/** `/v1/tags`, and what the tags of a client are for its links. */

interface TagRecord {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly links: number;
  readonly created_at: string;
}

interface Tags {
  readonly tags: readonly TagRecord[];
  readonly cursor: string | null;
}

const url = 'https://example.com/';
const tags = async ({ ask }: Manager, query = '') => (await ask<Tags>('GET', `/v1/tags${query}`)).body;
const create = ({ ask }: Manager, body: object) => ask<TagRecord>('POST', '/v1/tags', body);
const found = async ({ ask }: Manager, query: string) => {
  const { body } = await ask<{ links: { id: string }[] }>('GET', `/v1/links?${query}`);
  return body.links.map(({ id }) => id);
};

/** Gives the client so many tags. */
const fill = ({ tenant }: Manager, count: number) =>
  env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO tags (client_id, name, folded, colour, created_at) SELECT ?1, 'x' || i, 'x' || i, 'red', 1 FROM n`,
  )
    .bind(tenant.clientId, count)
    .run();

const countTags = ({ tenant }: Manager) =>
  env.DB.prepare('SELECT count(*) AS n FROM tags WHERE client_id = ?').bind(tenant.clientId).first<number>('n');

describe('GET /v1/tags', () => {
  it('GET /v1/tags lists the tags page by page, in the order of the alphabet, with the links of each', async () => {
    const [manager, other] = [await open(), await open()];
    await other.make({ tags: ['theirs'] });
    await manager.make({ tags: ['banana', 'Cherry'] });
    const deleted = await manager.make({ tags: ['apple', 'Cherry'] });
    await manager.ask('DELETE', `/v1/links/${deleted}`);
    const pages: (readonly [string, number])[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Tags = await tags(manager, `?limit=2&cursor=${cursor}`);
      pages.push(page.tags.map(({ name, links }) => [name, links] as const));
      cursor = page.cursor;
    }
    expect(pages).toEqual([
      [
        ['apple', 0],
        ['banana', 1],
      ],
      [['Cherry', 1]],
    ]);
  });
});

describe('POST /v1/tags', () => {
  it('POST /v1/tags creates a tag with a colour of its own, or the same one for the same name', async () => {
    const [manager, other] = [await open(), await open()];
    const { status, body } = await create(manager, { name: ' Summer ', colour: 'teal' });
    expect([status, body]).toEqual([
      201,
      { id: body.id, name: 'Summer', colour: 'teal', links: 0, created_at: expect.stringMatching(/Z$/) },
    ]);
    const [one, two] = [await create(manager, { name: 'Winter' }), await create(other, { name: 'WINTER' })];
    expect(two.body.colour).toBe(one.body.colour);
    expect(await create(manager, { name: 'summer' })).toMatchObject({ status: 409, body: failed('tag_taken') });
    await manager.make({ tags: ['SUMMER'] });
    expect((await tags(manager)).tags).toMatchObject([
      { name: 'Summer', colour: 'teal', links: 1 },
      { name: 'Winter' },
    ]);
  });

  it.each([
    [{}, 'missing_field'],
    [{ name: '' }, 'missing_field'],
    [{ name: 'a,b' }, 'invalid_name'],
    [{ name: 'x'.repeat(51) }, 'too_long'],
    [{ name: 'a', colour: 'pink' }, 'invalid_colour'],
    [{ name: 'a', links: 1 }, 'unknown_field'],
  ])('POST /v1/tags refuses %j', async (body, code) => {
    const manager = await open();
    expect(await create(manager, body)).toMatchObject({ status: 400, body: failed(code) });
    expect(await countTags(manager)).toBe(0);
  });
});

describe('PATCH /v1/tags/{id}', () => {
  it('PATCH /v1/tags/{id} renames the tag of all links at once, and the audit log says so', async () => {
    const manager = await open();
    const links = [await manager.make({ tags: ['Sumer', 'x'] }), await manager.make({ tags: ['sumer'] })];
    const [tag] = (await tags(manager)).tags;
    const change = await manager.ask('PATCH', `/v1/tags/${tag?.id}`, { name: 'Summer' });
    expect(change).toMatchObject({ status: 200, body: { ...tag, name: 'Summer', links: 2 } });
    expect((await manager.read(links[0]!)).tags).toEqual(['Summer', 'x']);
    expect((await manager.read(links[1]!)).tags).toEqual(['Summer']);
    expect(await found(manager, 'tag=sumer')).toEqual([]);
    const coloured = await manager.ask('PATCH', `/v1/tags/${tag?.id}`, { colour: 'gray' });
    expect(coloured.body).toMatchObject({ name: 'Summer', colour: 'gray' });
    const { body } = await manager.ask('GET', '/v1/audit?limit=1');
    const subject = { kind: 'tag', id: tag?.id, name: 'Summer' };
    expect(body).toMatchObject({ entries: [{ action: 'tag.renamed', subject, details: { former_name: 'Sumer' } }] });
  });

  it('PATCH /v1/tags/{id} takes another case of its own name, and not the name of another tag', async () => {
    const manager = await open();
    await manager.make({ tags: ['one', 'two'] });
    const [one] = (await tags(manager)).tags;
    expect((await manager.ask('PATCH', `/v1/tags/${one?.id}`, { name: 'ONE' })).body).toMatchObject({ name: 'ONE' });
    const taken = await manager.ask('PATCH', `/v1/tags/${one?.id}`, { name: 'TWO', colour: 'red' });
    expect(taken).toMatchObject({ status: 409, body: failed('tag_taken') });
    expect((await tags(manager)).tags).toMatchObject([{ name: 'ONE', colour: one?.colour }, { name: 'two' }]);
  });

  it('PATCH /v1/tags/{id} does not find the tag of another client', async () => {
    const [manager, other] = [await open(), await open()];
    const { body: theirs } = await create(other, { name: 'theirs' });
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'mine' } : undefined;
      expect(await manager.ask(method, `/v1/tags/${theirs.id}`, body)).toMatchObject({ status: 404 });
    }
    expect((await tags(other)).tags).toEqual([theirs]);
  });
});

describe('DELETE /v1/tags/{id}', () => {
  it('DELETE /v1/tags/{id} removes the tag from all links, which stay, and the audit log says so', async () => {
    const manager = await open();
    const id = await manager.make({ tags: ['one', 'two'] });
    const [one] = (await tags(manager)).tags;
    expect((await manager.ask('DELETE', `/v1/tags/${one?.id}`)).status).toBe(204);
    expect((await manager.ask('DELETE', `/v1/tags/${one?.id}`)).status).toBe(404);
    expect((await manager.read(id)).tags).toEqual(['two']);
    expect((await tags(manager)).tags).toMatchObject([{ name: 'two', links: 1 }]);
    const { body } = await manager.ask('GET', '/v1/audit?limit=1');
    expect(body).toMatchObject({ entries: [{ action: 'tag.deleted', subject: { kind: 'tag', name: 'one' } }] });
  });
});

describe('the filter tag of a list of links', () => {
  it('the filter tag of a list of links finds the links that have all of the tags, in any case, newest first and in the own client', async () => {
    const [manager, other] = [await open(), await open()];
    await other.make({ tags: ['a', 'b'] });
    const ids = [];
    for (const list of [['a'], ['A', 'b'], ['b'], ['a', 'B', 'c']]) ids.push(await manager.make({ tags: list }));
    const [first, second, , last] = ids;
    expect(new Set(await found(manager, 'tag=a'))).toEqual(new Set([first, second, last]));
    expect(new Set(await found(manager, 'tag=%20B%20&tag=a'))).toEqual(new Set([second, last]));
    expect(await found(manager, 'tag=a&tag=c&sort=clicks')).toEqual([last]);
    expect(await found(manager, 'tag=none')).toEqual([]);
    expect(await found(manager, `tag=${'x'.repeat(900)}`)).toEqual([]);
    await manager.ask('PATCH', `/v1/links/${last}`, { disabled: true });
    expect(await found(manager, 'tag=c&state=active')).toEqual([]);
    expect(await found(manager, 'tag=c&state=disabled')).toEqual([last]);
    await manager.ask('DELETE', `/v1/links/${last}`);
    expect(await found(manager, 'tag=c')).toEqual([]);
    expect(await found(manager, 'tag=c&state=deleted')).toEqual([last]);
  });

  it('the filter tag of a list of links refuses more tags than a link can have', async () => {
    const { ask } = await open();
    const query = Array.from({ length: 21 }, (_, i) => `tag=t${i}`).join('&');
    expect(await ask('GET', `/v1/links?${query}`)).toMatchObject({ status: 400, body: failed('invalid_tag') });
  });
});

describe('the tags of a client', () => {
  it('the tags of a client are created once, by however many links at the same time', async () => {
    const manager = await open();
    const ids = await Promise.all(['New', 'NEW', 'new', 'nEw'].map((name) => manager.make({ tags: [name] })));
    const { tags: all } = await tags(manager);
    expect(all).toMatchObject([{ links: 4 }]);
    for (const id of ids) expect((await manager.read(id)).tags).toEqual([all[0]?.name]);
  });

  it('the tags of a client are at most 1,000: what would need more is refused, and changes nothing', async () => {
    const manager = await open();
    const id = await manager.make({ tags: ['a'] });
    await fill(manager, MAX_TAGS - 2);
    const refused = { status: 409, body: failed('too_many_tags') };
    const two = { url, client_id: manager.tenant.clientId, tags: ['b', 'c', 'x1'] };
    expect(await manager.ask('POST', '/v1/links', two, manager.key)).toMatchObject(refused);
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { tags: ['b', 'c'], title: 'T' })).toMatchObject(refused);
    const rows = 'url,tags\nhttps://example.com/1,"b,x1"\nhttps://example.com/2,"c,x1"\n';
    expect(outcomesOf(await importFile(manager, rows, { query: '?dry_run=true' }))).toEqual([
      'created',
      'too_many_tags',
    ]);
    expect(await countTags(manager)).toBe(MAX_TAGS - 1);
    const links = [['b'], ['c'], ['B', 'x1'], ['a']].map((list) => ({ url, tags: list }));
    const { body } = await manager.ask('POST', '/v1/links/batch', { links }, manager.key);
    expect(body).toMatchObject({ results: [{ status: 201 }, { status: 409 }, { status: 201 }, { status: 201 }] });
    expect(outcomesOf(await importFile(manager, rows))).toEqual(['created', 'too_many_tags']);
    expect(await create(manager, { name: 'c' })).toMatchObject(refused);
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { tags: ['b', 'x1'] })).toMatchObject({ status: 200 });
    expect(await countTags(manager)).toBe(MAX_TAGS);
    const stray = env.DB.prepare('SELECT count(*) AS n FROM addresses WHERE link_id NOT IN (SELECT id FROM links)');
    expect(await stray.first('n')).toBe(0);
  });

  it('the tags of a client are at most 1,000 also if several requests need the last one at once', async () => {
    const manager = await open();
    await fill(manager, MAX_TAGS - 1);
    const bodies = ['p', 'q', 'r'].map((name) => ({ url, client_id: manager.tenant.clientId, tags: [name] }));
    const answers = await Promise.all(bodies.map((body) => manager.ask('POST', '/v1/links', body, manager.key)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await countTags(manager)).toBe(MAX_TAGS);
  });
});
