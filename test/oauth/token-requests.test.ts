import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codeOf, connect, errorOf, exchange, MCP, openScene, refresh, rowsWhere } from '../support/oauth.ts';

/** Parameters of requests for tokens that programs send otherwise than most do. */

describe('requests for tokens', () => {
  it('a parameter without a value counts as left out (RFC 6749, section 3.2)', async () => {
    const scene = await openScene();
    const granted = await exchange(scene.application, await codeOf(scene), { resource: '', redirect_uri: '' });
    expect(granted.status).toBe(200);
    const { refresh_token: token } = await granted.json<{ refresh_token: string }>();
    expect((await refresh(scene.application, token, { resource: '' })).status).toBe(200);
  });

  it('a resource with a slash at its end is the one without, from the consent to each refresh', async () => {
    const scene = await openScene();
    const resource = `${MCP}/`;
    const granted = await exchange(scene.application, await codeOf(scene, { resource }), { resource });
    expect(granted.status).toBe(200);
    const { refresh_token: token } = await granted.json<{ refresh_token: string }>();
    expect((await refresh(scene.application, token, { resource })).status).toBe(200);
  });

  it('a resource of another service is an error of its own', async () => {
    const scene = await openScene();
    const [code, resource] = [await codeOf(scene), 'https://other.example/mcp'];
    expect(await errorOf(await exchange(scene.application, code, { resource }))).toEqual([400, 'invalid_target']);
    expect((await exchange(scene.application, code)).status).toBe(200);
  });

  it('an application that is not registered, or no longer, gets an error of its own, by which it registers again', async () => {
    const scene = await openScene();
    const tokens = await connect(scene);
    const unknown = [400, 'invalid_client'];
    expect(await errorOf(await exchange('unknown', 'x'.repeat(43)))).toEqual(unknown);
    await rowsWhere(`UPDATE token_families SET ended_at = 1 WHERE begun_with = ?`, scene.application);
    expect(await errorOf(await refresh(scene.application, tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    await rowsWhere('DELETE FROM oauth_applications WHERE id = ?', scene.application);
    expect(await errorOf(await refresh(scene.application, tokens.refresh_token))).toEqual(unknown);
    const document = 'https://assistant.example/client.json';
    expect(await errorOf(await exchange(document, 'x'.repeat(43)))).toEqual([400, 'invalid_grant']);
  });

  it('a refresh gives no scope that was not granted', async () => {
    const scene = await openScene();
    const code = await codeOf(scene, { scope: 'links:read' });
    const { refresh_token: token } = await (await exchange(scene.application, code)).json<{ refresh_token: string }>();
    const refreshed = await refresh(scene.application, token, { scope: 'links:read links:write stats:read' });
    expect(await refreshed.json()).toMatchObject({ scope: 'links:read' });
  });

  it('a grant for a resource of a former origin of the service is worth nothing', async () => {
    const scene = await openScene();
    const { refresh_token: token } = await connect(scene);
    await rowsWhere(
      `UPDATE oauth_grants SET resource = 'https://former.example/mcp' WHERE application = ?`,
      scene.application,
    );
    for (const resource of [MCP, undefined])
      expect(await errorOf(await refresh(scene.application, token, { resource }))).toEqual([400, 'invalid_grant']);
  });
});

describe('an outage of the database', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('a program gets 503 and when to try again, and its code and refresh token still work', async () => {
    const scene = await openScene();
    const code = await codeOf(scene);
    const { refresh_token: token } = await connect(scene);
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1_ERROR: Network connection lost.'));
    const log = vi.spyOn(console, 'log');
    for (const response of [await exchange(scene.application, code), await refresh(scene.application, token)]) {
      expect([response.headers.get('Retry-After'), response.headers.get('Cache-Control')]).toEqual(['5', 'no-store']);
      expect(await errorOf(response)).toEqual([503, 'temporarily_unavailable']);
    }
    const answers = log.mock.calls.map(([line]) => JSON.parse(String(line))).filter(({ event }) => event === 'answer');
    expect(answers.map(({ status, error }) => [status, error])).toEqual([
      [503, 'store_unavailable'],
      [503, 'store_unavailable'],
    ]);
    vi.restoreAllMocks();
    expect((await exchange(scene.application, code)).status).toBe(200);
    expect((await refresh(scene.application, token)).status).toBe(200);
  });
});
