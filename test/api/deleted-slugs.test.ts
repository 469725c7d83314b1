import { afterEach, describe, expect, it, vi } from 'vitest';
import { failed, newSlug, open } from '../support/manage.ts';
import { seedCaller } from '../support/forms.ts';
import { form, openBrowser } from '../support/platform.ts';
import { seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { pageFieldsOf } from '../support/page-fields.ts';
import { hrefOf } from '../support/statistics-page.ts';
import { setColumns } from '../support/visits.ts';

/** Slugs of deleted links, which the workspace that has them can restore. */

afterEach(() => void vi.restoreAllMocks());

const DAY_MS = 86_400_000;

/** A workspace with a deleted link, and another one. */
async function openDeleted() {
  const [mine, others] = [await open(), await open()];
  const slug = newSlug();
  const id = await mine.make({ slug });
  await mine.ask('DELETE', `/v1/links/${id}`);
  const creates = (manager: typeof mine, wanted = slug) => {
    const link = { url: 'https://example.com/', client_id: manager.tenant.clientId, slug: wanted };
    return manager.ask('POST', '/v1/links', link, manager.key);
  };
  const refusal =
    `slug_of_deleted_link: slug ${slug} belongs to your deleted link ${id}. ` +
    `Restore it with POST /v1/links/${id}/restore, or choose another slug.`;
  return { mine, others, slug, id, creates, refusal };
}

describe('the slug of an own deleted link', () => {
  it('the slug of an own deleted link is refused by its id and the cure, which works', async () => {
    const { mine, slug, id, creates, refusal } = await openDeleted();
    expect(await creates(mine)).toMatchObject({ status: 409, body: { result: 'Failed', error: refusal } });
    const upper = await creates(mine, slug.toUpperCase());
    expect([upper.status, upper.body['error']]).toEqual([
      409,
      refusal.replace(`slug ${slug}`, `slug ${slug.toUpperCase()}`),
    ]);
    expect((await mine.ask('POST', `/v1/links/${id}/restore`)).status).toBe(200);
    expect(await creates(mine)).toMatchObject({ status: 409, body: { error: expect.stringMatching(/^slug_taken: /) } });
  });

  it('the slug of an own deleted link is refused in the same way in an edit and in a list', async () => {
    const { mine, slug, id } = await openDeleted();
    const other = await mine.make();
    expect(await mine.ask('PATCH', `/v1/links/${other}`, { slug })).toMatchObject({
      status: 409,
      body: failed('slug_of_deleted_link'),
    });
    const links = [{ url: 'https://example.com/', client_id: mine.tenant.clientId, slug }];
    const { body } = await mine.ask('POST', '/v1/links/batch', { links }, mine.key);
    expect(JSON.stringify(body)).toContain(`slug_of_deleted_link`);
    expect(JSON.stringify(body)).toContain(id);
  });

  it('the slug of an own deleted link is no other one to other workspaces, and once it cannot be restored', async () => {
    const { mine, others, id, creates } = await openDeleted();
    const taken = { status: 409, body: { error: expect.stringMatching(/^slug_taken: [^]*(?<!restore)$/) } };
    const refused = await creates(others);
    expect(refused).toMatchObject(taken);
    expect(JSON.stringify(refused.body)).not.toContain(id);
    await setColumns(id, { deleted_at: Date.now() - 31 * DAY_MS });
    expect(await creates(mine)).toMatchObject(taken);
    await setColumns(id, { deleted_at: Date.now(), url: '' });
    expect(await creates(mine)).toMatchObject(taken);
  });

  it('the slug of an own deleted link is refused in the same way in a file, and while it is typed', async () => {
    const { mine, others, slug, refusal } = await openDeleted();
    const send = async ({ bearer }: typeof mine, dryRun: boolean) => {
      const headers = { ...bearer, 'Content-Type': 'text/csv' };
      const body = `url,slug\nhttps://example.com/,${slug}\n`;
      const response = await call(`/v1/links/import?dry_run=${dryRun}`, { method: 'POST', headers, body });
      return (await response.json<{ results: readonly { error?: string }[] }>()).results.map(({ error }) => error);
    };
    expect([await send(mine, true), await send(mine, false)]).toEqual([[refusal], [refusal]]);
    expect(await send(others, false)).toEqual([expect.stringMatching(/^slug_taken: /)]);
    const { browse } = await openBrowser(mine.tenant);
    const [other, path] = [await mine.make(), `/platform/c/${mine.tenant.clientId}/links`];
    const checked = await browse(`${path}/${other}/check`, form({ revision: '1', url: 'https://example.com/', slug }));
    expect(await checked.json()).toMatchObject({
      faults: { slug: 'A link that you have deleted has this slug. Restore it, or choose another slug.' },
    });
  });

  it('the slug of an own deleted link leads from the forms of links to the page that restores it', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const slug = newSlug();
    const link = await seedLink(caller, { slug });
    const path = `/platform/c/${caller.clientId}/links`;
    await browse(`${path}/${link.id}/delete`, form({}));
    const response = await browse(`${path}/new`, form({ url: 'https://example.com/', slug }));
    const page = await response.text();
    expect(response.status).toBe(409);
    expect(page).toContain('A link that you have deleted has this slug. Restore it, or choose another slug.');
    expect(hrefOf(page, 'Open the deleted link to restore it')).toBe(`${path}/${link.id}`);
    expect(await (await browse(`${path}/${link.id}`)).text()).toContain('Restore');
    const other = await seedLink(caller);
    const fields = pageFieldsOf(await (await browse(`${path}/${other.id}/edit`)).text());
    const edited = await browse(`${path}/${other.id}/edit`, form({ ...fields, slug }));
    expect(edited.status).toBe(409);
    expect(hrefOf(await edited.text(), 'Open the deleted link to restore it')).toBe(`${path}/${link.id}`);
  });
});
