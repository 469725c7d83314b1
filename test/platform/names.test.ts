import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { seedCaller, type Caller } from '../support/forms.ts';
import { invite } from '../support/invites.ts';
import { answer, ask, seedMember } from '../support/management.ts';
import { openBrowser, openMembers, textOf } from '../support/platform.ts';

/** Right-to-left names, and older names with bidirectional controls, within left-to-right text. */

const OLD = 'bob\u202e\u2069';
const HEBREW = 'נועה';

async function rename({ userId }: Caller, name: string): Promise<string> {
  const own = `${name}${String(Math.random()).slice(2, 12)}`;
  await env.DB.prepare('UPDATE users SET name = ?2, skeleton = NULL WHERE id = ?1').bind(userId, own).run();
  return own;
}
const inText = (name: string) => `\u2068${name.replaceAll(/[\u202e\u2069]/g, '')}\u2069`;

it.each([OLD, HEBREW])('a name does not change the direction of a sentence of the log: %j', async (former) => {
  const owner = await seedCaller();
  const name = await rename(owner, former);
  const { id } = await answer<{ id: string }>(
    await ask(owner, 'POST', '/v1/keys', { name: HEBREW, scopes: ['links:read'] }),
    201,
  );
  await ask(owner, 'PATCH', `/v1/keys/${id}`, { name: 'build' });
  const { browse } = await openBrowser(owner);
  const log = await textOf(browse(`/platform/c/${owner.clientId}/audit`));
  expect(log).toContain(`${inText(name)} renamed the API key “${inText(HEBREW)}” to “build”.`);
});

it.each([OLD, HEBREW])('a name does not change the direction of a title or a label: %j', async (former) => {
  const { owner, browse, members } = await openMembers();
  const member = await seedMember(owner);
  const name = await rename(member, former);
  await rename(owner, former);
  await invite(owner);
  const key = await answer<{ id: string }>(
    await ask(owner, 'POST', '/v1/keys', { name: HEBREW, scopes: ['links:read'] }),
    201,
  );
  const keys = members.replace(/members$/, 'keys');
  expect(await textOf(browse(`${members}/${member.userId}/remove`))).toContain(`Remove ${inText(name)}?`);
  expect(await textOf(browse(`${members}/${member.userId}/reset`))).toContain(`reset link for ${inText(name)}?`);
  expect(await textOf(browse(`${keys}/${key.id}/roll`))).toContain(`Roll the key ${inText(HEBREW)}?`);
  expect(await textOf(browse(`${keys}/${key.id}/revoke`))).toContain(`Revoke the key ${inText(HEBREW)}?`);
  const page = await textOf(browse(members));
  expect(page).toContain(`Actions for ${inText(name)}`);
  expect(page).toMatch(/Actions for \u2068the invite created by [^<\u2068\u2069]*\u2069/);
  expect(await textOf(browse(keys))).toContain(`Actions for ${inText(HEBREW)}`);
  expect(page).not.toMatch(/>(?:נועה|bob)[^<]*<(?!\/bdi>)/);
});

it('a name does not change the direction of a sentence about an ended invite', async () => {
  const owner = await seedCaller();
  const name = await rename(owner, HEBREW);
  const { id, token } = await invite(owner);
  await ask(owner, 'DELETE', `/v1/invites/${id}`);
  const { browse } = await openBrowser(await seedCaller());
  expect(await textOf(browse(`/platform/invite/${token}`))).toContain(`<bdi>${name}</bdi> created it for `);
});
