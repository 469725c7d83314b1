import { expect, it } from 'vitest';
import { form, placeOf } from '../support/platform.ts';
import { ORIGIN } from '../support/service.ts';
import {
  API,
  codeOf,
  connect,
  errorOf,
  exchange,
  openScene,
  queryOf,
  refresh,
  rowsWhere,
  statusAtApi,
} from '../support/oauth.ts';

/** Codes and refresh tokens whose user, session or workspace ended in between. */

const REFUSED = [400, 'invalid_grant'];

it.each([
  ['the user is disabled', 'UPDATE users SET disabled_at = 1 WHERE id = ?'],
  ['the user leaves the workspace', 'DELETE FROM members WHERE user_id = ?'],
  ['the session is over', 'UPDATE token_families SET ends_at = 1 WHERE user_id = ?'],
  ['the session was ended', 'UPDATE token_families SET ended_at = 1 WHERE user_id = ?'],
])('a code gives nothing once %s', async (_what, sql) => {
  const scene = await openScene();
  const code = await codeOf(scene);
  await rowsWhere(sql, scene.caller.userId);
  expect(await errorOf(await exchange(scene.application, code))).toEqual(REFUSED);
});

it('a code and a grant give nothing once the workspace is deleted', async () => {
  const scene = await openScene();
  const tokens = await connect(scene, API);
  const code = await codeOf(scene);
  const { clientId } = scene.caller;
  expect((await scene.browse(`/platform/c/${clientId}/settings/delete`, form({ name: clientId }))).status).toBe(303);
  expect(await errorOf(await exchange(scene.application, code))).toEqual(REFUSED);
  expect([401, 403]).toContain(await statusAtApi(tokens));
});

it('a refresh token gives nothing once its user is disabled', async () => {
  const scene = await openScene();
  const tokens = await connect(scene);
  await rowsWhere('UPDATE users SET disabled_at = 1 WHERE id = ?', scene.caller.userId);
  expect(await errorOf(await refresh(scene.application, tokens.refresh_token))).toEqual(REFUSED);
});

it('who confirmed too long ago to give access does so once more, and comes back to the request', async () => {
  const { browse, caller, application } = await openScene();
  const request = queryOf(application);
  await rowsWhere(`UPDATE token_families SET started_at = 1 WHERE user_id = ?`, caller.userId);
  const path = `/oauth/authorize?${request}`;
  const fields = { request, client_id: caller.clientId, scopes: 'links:read', decision: 'allow' };
  for (const response of [
    await browse(path),
    await browse('/oauth/authorize', form(fields, { Referer: `${ORIGIN}${path}` })),
  ])
    expect(placeOf(response)).toEqual([303, `/platform/confirm?next=${encodeURIComponent(path)}`]);
  expect(await rowsWhere('SELECT 1 FROM oauth_codes WHERE user_id = ?', caller.userId)).toEqual([]);
});

it('a refusal that was sent after the session had ended is shown again, and sends the browser nowhere', async () => {
  const { browse, caller, application } = await openScene();
  const request = queryOf(application, { scope: 'links:read links:write' });
  const texts = Object.entries({ request, client_id: caller.clientId, scopes: 'links:read', decision: 'refuse' });
  const body = new FormData();
  body.append('typed', JSON.stringify({ by: caller.userId, texts, passwords: [] }));
  const shown = await browse('/oauth/authorize?again', { method: 'POST', body, headers: { Origin: ORIGIN } });
  const page = await shown.text();
  expect([shown.status, page.includes('Give access')]).toEqual([200, true]);
  expect(page).toMatch(/value="links:read"[^>]* checked/);
  expect(page).not.toMatch(/value="links:write"[^>]* checked/);
});
