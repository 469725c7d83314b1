import { describe, expect, it } from 'vitest';
import { call } from '../support/service.ts';
import { API, bearer, connect, errorOf, MCP, openScene, refresh, rowsWhere, type Tokens } from '../support/oauth.ts';

describe('refresh tokens', () => {
  it('a refresh gives new tokens of the same grant, and the former refresh token ends the grant if it comes later', async () => {
    const scene = await openScene();
    const first = await connect(scene, API);
    const second = await refresh(scene.application, first.refresh_token);
    expect(second.status).toBe(200);
    const tokens = await second.json<typeof first>();
    expect(tokens).toMatchObject({ scope: 'links:read links:write', token_type: 'Bearer' });
    expect((await call('/v1/links', { headers: bearer(tokens) })).status).toBe(200);
    const third = await (await refresh(scene.application, tokens.refresh_token)).json<typeof first>();
    expect(await errorOf(await refresh(scene.application, first.refresh_token))).toEqual([400, 'invalid_grant']);
    expect((await call('/v1/links', { headers: bearer(third) })).status).toBe(401);
    expect(await errorOf(await refresh(scene.application, third.refresh_token))).toEqual([400, 'invalid_grant']);
  });

  it('a grant in use does not end after a month, and ends after a year', async () => {
    const scene = await openScene();
    const tokens = await connect(scene);
    const DAY = 24 * 3600 * 1000;
    const set = (sql: string) => rowsWhere(sql, scene.caller.userId);
    await set(`UPDATE token_families SET started_at = started_at - 20 * ${DAY}, ends_at = ends_at - 20 * ${DAY}
      WHERE user_id = ? AND began_by = 'oauth'`);
    const second = await (await refresh(scene.application, tokens.refresh_token)).json<typeof tokens>();
    const lifetime = `SELECT ends_at - started_at AS ms FROM token_families WHERE user_id = ? AND began_by = 'oauth'`;
    const [row] = await set(lifetime);
    expect(Math.round(Number(row?.['ms']) / DAY)).toBe(50);
    await set(
      `UPDATE token_families SET started_at = started_at - 340 * ${DAY} WHERE user_id = ? AND began_by = 'oauth'`,
    );
    await refresh(scene.application, second.refresh_token);
    const [last] = await set(lifetime);
    expect(Math.round(Number(last?.['ms']) / DAY)).toBe(390);
  });

  it('another application gets nothing for a refresh token, and does not end the grant', async () => {
    const scene = await openScene();
    const [tokens, other] = [await connect(scene, API), await openScene()];
    expect(await errorOf(await refresh(other.application, tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    expect((await refresh(scene.application, tokens.refresh_token)).status).toBe(200);
  });

  it('a refresh token that is sent twice at once counts as a lost response, and one successor alone works', async () => {
    const scene = await openScene();
    const { refresh_token: token } = await connect(scene, API);
    const twice = await Promise.all([refresh(scene.application, token), refresh(scene.application, token)]);
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = await Promise.all(twice.map((each) => each.json<Tokens>()));
    const uses = [
      await refresh(scene.application, one!.refresh_token),
      await refresh(scene.application, other!.refresh_token),
    ];
    expect(uses[1]?.status).toBe(400);
    expect((await call('/v1/links', { headers: bearer(one!) })).status).toBe(401);
  });

  it('a refresh for another resource is refused', async () => {
    const scene = await openScene();
    const { refresh_token: token } = await connect(scene);
    expect(await errorOf(await refresh(scene.application, token, { resource: API }))).toEqual([400, 'invalid_target']);
    expect((await refresh(scene.application, token, { resource: MCP })).status).toBe(200);
  });
});
