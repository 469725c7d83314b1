import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { addMember } from '../../../src/accounts/operator.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { invite } from '../../support/invites.ts';
import { form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { db, seedDomain, seedLink } from '../../support/seed.ts';

afterEach(() => vi.restoreAllMocks());

/** A new workspace, without the key of the seed. */
async function open() {
  const owner = await seedCaller();
  await env.DB.prepare('UPDATE clients SET first_steps_ended_at = NULL WHERE id = ?').bind(owner.clientId).run();
  await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE client_id = ?').bind(owner.clientId).run();
  const { browse } = await openBrowser(owner);
  const path = `/platform/c/${owner.clientId}`;
  /** The lines of the list: where each leads, or that it is done; null without the list. */
  const lines = async () => {
    const [, list] = /<ol class="steps">(.*?)<\/ol>/s.exec(await textOf(browse(path))) ?? [];
    if (list === undefined) return null;
    return [...list.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(
      ([, line = '']) => /href="([^"]+)"/.exec(line)?.[1]?.slice(path.length) ?? 'done',
    );
  };
  return { owner, browse, path, lines };
}

const working = async (owner: Caller) => {
  await env.DB.prepare('UPDATE api_keys SET revoked_at = NULL WHERE client_id = ?').bind(owner.clientId).run();
};

it('lists what is not done in a new workspace, and disappears without further queries', async () => {
  const { owner, browse, path, lines } = await open();
  expect(await lines()).toEqual(['/links/new', '/domains/new', '/members/invite', '/keys/new']);
  await working(owner);
  await seedLink(owner);
  expect(await lines()).toEqual(['done', '/domains/new', '/members/invite', 'done']);
  await invite(owner);
  expect(await lines()).toEqual(['done', '/domains/new', 'done', 'done']);
  await seedDomain(owner);
  expect(await lines()).toBeNull();
  const batch = vi.spyOn(env.DB, 'batch');
  const withoutSteps = await textOf(browse(path)).then(() => batch.mock.calls.length);
  batch.mockClear();
  await env.DB.prepare('UPDATE clients SET first_steps_ended_at = NULL WHERE id = ?').bind(owner.clientId).run();
  expect(await lines()).toBeNull();
  // One round trip, once.
  expect(batch.mock.calls.length).toBe(withoutSteps + 1);
  await seedLink(owner);
});

it('the list of first steps is hidden for all owners by one of them, and never shown to members', async () => {
  const { owner, browse, path, lines } = await open();
  const [member, stranger] = [await seedCaller(), await seedCaller()];
  await addMember(db, member.userName, owner.clientId, 'member');
  for (const [user, status] of [
    [member, 403],
    [stranger, 404],
  ] as const) {
    const other = await openBrowser(user);
    expect((await other.browse(`${path}/first-steps`, form({}))).status).toBe(status);
    expect(await textOf(other.browse(path))).not.toContain('First steps');
  }
  expect(await lines()).not.toBeNull();
  expect(placeOf(await browse(`${path}/first-steps`, form({})))).toEqual([303, path]);
  expect(await lines()).toBeNull();
});
