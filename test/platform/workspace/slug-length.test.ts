import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/accounts/operator.ts';
import { openManager } from '../../support/manage.ts';
import { form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { db, seedTenant } from '../../support/seed.ts';

async function openOwner() {
  const owner = await seedTenant();
  const { browse } = await openBrowser(owner);
  const path = `/platform/c/${owner.clientId}`;
  return {
    owner,
    browse,
    path,
    save: (length: string) => browse(`${path}/settings/slugs`, form({ slug_length: length })),
  };
}

describe('the length of generated slugs of a workspace', () => {
  it('the length of generated slugs of a workspace is chosen by its owner, and new links have it', async () => {
    const { owner, browse, path, save } = await openOwner();
    expect(await textOf(browse(`${path}/settings`))).toContain('<option value="8" selected="">8</option>');
    expect(placeOf(await save('13'))).toEqual([303, `${path}/settings`]);
    const page = await textOf(browse(`${path}/settings`));
    expect(page).toContain('<option value="13" selected="">13</option>');
    expect(page).toContain('get one of 13 characters');
    await save('13');
    expect(await textOf(browse(`${path}/audit`))).toContain(
      `${owner.userName} changed generated slugs to 13 characters.`,
    );
    const { make, read } = await openManager(owner);
    expect((await read(await make())).slug).toHaveLength(13);
  });

  it.each(['6', '17', 'x', '8.5'])('the length of generated slugs of a workspace cannot be %j', async (length) => {
    const { browse, path, save } = await openOwner();
    const refused = await save(length);
    const page = await refused.text();
    expect(refused.status).toBe(400);
    expect(page).toContain('must be a whole number from 7 to 16');
    expect(page).toContain('aria-invalid="true"');
    expect(await textOf(browse(`${path}/settings`))).toContain('<option value="8" selected="">8</option>');
  });

  it('the length of generated slugs of a workspace is not for its members to choose', async () => {
    const { owner, path } = await openOwner();
    const member = await seedTenant();
    await addMember(db, member.userName, owner.clientId, 'member');
    const { browse } = await openBrowser(member);
    const refused = await browse(`${path}/settings/slugs`, form({ slug_length: '9' }));
    expect(refused.status).toBe(403);
    const { make, read } = await openManager(owner);
    expect((await read(await make())).slug).toHaveLength(8);
  });
});

describe('the length of generated slugs of a domain', () => {
  it('the length of generated slugs of a domain is chosen on its page', async () => {
    const { owner, browse, path } = await openOwner();
    const { ask } = await openManager(owner);
    const { body } = await ask<{ id: string }>('POST', '/v1/domains', { host: `${crypto.randomUUID()}.example` });
    const page = `${path}/domains/${body.id}`;
    const save = (length: string) => browse(`${page}/slugs`, form({ slug_length: length }));
    expect(await textOf(browse(page))).toContain('get one of 8 characters');
    expect(placeOf(await save('5'))).toEqual([303, page]);
    expect(await textOf(browse(page))).toContain('<option value="5" selected="">5</option>');
    const refused = await save('4');
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('must be a whole number from 5 to 16'),
    ]);
    expect((await ask('GET', `/v1/domains/${body.id}`)).body).toMatchObject({ slug_length: 5 });
    expect(await textOf(browse(`${path}/audit`))).toMatch(/changed generated slugs of .* to 5 characters\./);
  });
});
