import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import worker from '../../src/index.ts';
import { exportOwnData } from '../../src/accounts/users/own-data.ts';
import { DAY_MS } from '../../src/time/day.ts';
import { auditOf } from '../support/domains.ts';
import { form, placeOf, textOf } from '../support/platform.ts';
import { seedCaller } from '../support/forms.ts';
import { db } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { seedSession } from '../support/sessions.ts';
import { API, bearer, connect, MCP, openScene, refresh, registered, rowsWhere, statusAtApi } from '../support/oauth.ts';

const APPLICATIONS = '/platform/account/applications';
const idOf = async ({ userId }: { userId: string }): Promise<string> =>
  String(
    (await rowsWhere(`SELECT id FROM token_families WHERE user_id = ? AND began_by = 'oauth'`, userId))[0]?.['id'],
  );

describe('the page of connected applications', () => {
  it('a user without any reads the address that an assistant needs', async () => {
    const { browse } = await openScene();
    const html = await textOf(browse(APPLICATIONS));
    expect(html).toContain('No connected applications');
    expect(html).toContain(`<code>${MCP}</code>`);
    expect(html).toContain('<p class="crumb"><a href="/platform/account">Account</a></p>');
    expect(await textOf(browse('/platform/account'))).toContain(`href="${APPLICATIONS}"`);
  });

  it('a user sees what is connected with its host, workspace and permissions, and ends one', async () => {
    const scene = await openScene();
    const tokens = await connect(scene, API);
    const id = await idOf(scene.caller);
    const html = await textOf(scene.browse(APPLICATIONS));
    expect(html).toContain('Assistant (assistant.example)');
    expect(html).toContain(scene.caller.clientId);
    expect(html).toContain('links:read, links:write');
    expect(html).toContain(`${APPLICATIONS}/${id}/end`);
    const asked = await textOf(scene.browse(`${APPLICATIONS}/${id}/end`));
    expect(asked).toContain('Assistant (assistant.example)');
    expect(await statusAtApi(tokens)).toBe(200);

    const ended = await scene.browse(`${APPLICATIONS}/${id}/end`, form({}));
    expect(placeOf(ended)).toEqual([303, APPLICATIONS]);
    expect(await statusAtApi(tokens)).toBe(401);
    await scene.browse(`${APPLICATIONS}/${id}/end`, form({}));
    const entry = { id: scene.application, name: 'Assistant (assistant.example)' };
    expect(await auditOf(scene.caller)).toEqual([
      { ...entry, action: 'application.connected', details: { scopes: ['links:read', 'links:write'] } },
      { ...entry, action: 'application.disconnected', details: null },
    ]);
    expect((await refresh(scene.application, tokens.refresh_token)).status).toBe(400);
    expect(await textOf(scene.browse(APPLICATIONS))).toContain('No connected applications');
    expect((await scene.browse(`${APPLICATIONS}/${id}/end`)).status).toBe(404);
  });

  it.each(['access_token', 'refresh_token'] as const)(
    'the audit log says that an application has disconnected itself by its %s, once',
    async (name) => {
      const scene = await openScene();
      const tokens = await connect(scene);
      const revoke = (client: string) => call('/oauth/revoke', { form: { client_id: client, token: tokens[name] } });
      for (const client of [await registered(), scene.application, scene.application])
        expect((await revoke(client)).status).toBe(200);
      const rows = await rowsWhere(
        'SELECT action, subject_id, subject_name, user_id, credential_kind, credential_id FROM audit_entries WHERE client_id = ? ORDER BY created_at, action',
        scene.caller.clientId,
      );
      const entry = {
        subject_id: scene.application,
        subject_name: 'Assistant (assistant.example)',
        user_id: scene.caller.userId,
      };
      expect(rows).toEqual([
        { ...entry, action: 'application.connected', credential_kind: 'session', credential_id: expect.any(String) },
        {
          ...entry,
          action: 'application.disconnected',
          credential_kind: 'oauth',
          credential_id: await idOf(scene.caller),
        },
      ]);
    },
  );

  it('another user neither sees nor ends it, and no id of another sign-in is ended there', async () => {
    const [scene, other] = [await openScene(), await openScene()];
    const tokens = await connect(scene, API);
    const id = await idOf(scene.caller);
    expect((await other.browse(`${APPLICATIONS}/${id}/end`)).status).toBe(404);
    await other.browse(`${APPLICATIONS}/${id}/end`, form({}));
    expect(await statusAtApi(tokens)).toBe(200);
    const [{ id: session } = {}] = await rowsWhere(
      `SELECT id FROM token_families WHERE user_id = ? AND began_by = 'password'`,
      scene.caller.userId,
    );
    await scene.browse(`${APPLICATIONS}/${String(session)}/end`, form({}));
    expect((await scene.browse(APPLICATIONS)).status).toBe(200);
  });

  it('a session that opens one workspace shows and ends the connections of that one alone', async () => {
    const scene = await openScene();
    const tokens = await connect(scene, API);
    const id = await idOf(scene.caller);
    const other = await seedCaller();
    await rowsWhere(
      `UPDATE token_families SET client_id = ? WHERE user_id = ? AND began_by = 'password'`,
      other.clientId,
      scene.caller.userId,
    );
    expect(await textOf(scene.browse(APPLICATIONS))).toContain('No connected applications');
    await scene.browse(`${APPLICATIONS}/${id}/end`, form({}));
    expect(await statusAtApi(tokens)).toBe(200);
  });

  it('the last use is updated by a request, once an hour', async () => {
    const scene = await openScene();
    const tokens = await connect(scene, API);
    const set = (at: number) =>
      rowsWhere('UPDATE oauth_grants SET used_at = ? WHERE application = ?', at, scene.application);
    const usedAt = async () =>
      Number(
        (await rowsWhere('SELECT used_at FROM oauth_grants WHERE application = ?', scene.application))[0]?.['used_at'],
      );
    await set(1);
    await call('/v1/links', { headers: bearer(tokens) });
    expect(Date.now() - (await usedAt())).toBeLessThan(60_000);
  });
});

describe('what is kept', () => {
  const cleanUp = () => worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);

  it('the daily clean-up deletes old codes, ended grants, and applications that are not used', async () => {
    const [kept, ended] = [await openScene(), await openScene()];
    await connect(kept);
    await connect(ended);
    const [young, old, used] = [await registered(), await registered(), kept.application];
    await rowsWhere(
      'UPDATE oauth_applications SET created_at = 1, consented_at = iif(consented_at IS NULL, NULL, 1) WHERE id IN (?, ?)',
      old,
      used,
    );
    await rowsWhere(
      `UPDATE token_families SET ended_at = 1 WHERE user_id = ? AND began_by = 'oauth'`,
      ended.caller.userId,
    );
    await rowsWhere(
      `UPDATE oauth_codes SET expires_at = ? WHERE user_id = ?`,
      Date.now() - DAY_MS,
      ended.caller.userId,
    );
    await cleanUp();
    const ids = new Set((await rowsWhere('SELECT id FROM oauth_applications')).map(({ id }) => id));
    expect([young, old, used, ended.application].map((id) => ids.has(id))).toEqual([true, false, true, true]);
    const of = (table: string) =>
      rowsWhere(`SELECT application FROM ${table} WHERE application IN (?, ?)`, used, ended.application);
    expect(await of('oauth_grants')).toEqual([{ application: used }]);
    expect(await of('oauth_codes')).toEqual([{ application: used }]);
    // An address is needed for an hour.
    await rowsWhere('UPDATE oauth_applications SET created_at = created_at - ? WHERE id = ?', 3_700_000, young);
    await cleanUp();
    expect(await rowsWhere('SELECT address FROM oauth_applications WHERE id = ?', young)).toEqual([{ address: null }]);
  });

  it('a grant stays, however many tokens a program of the same user has got by a password since', async () => {
    const scene = await openScene();
    const tokens = await connect(scene);
    await rowsWhere(`UPDATE token_families SET started_at = 1 WHERE user_id = ?`, scene.caller.userId);
    await rowsWhere(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1100)
       INSERT INTO token_families (id, user_id, started_at, ends_at, began_by)
       SELECT lower(hex(randomblob(12))), ?1, 2, ?2, 'password' FROM numbers`,
      scene.caller.userId,
      Date.now() + DAY_MS,
    );
    await cleanUp();
    expect((await refresh(scene.application, tokens.refresh_token)).status).toBe(200);
  });

  it('the export of own data lists the applications', async () => {
    const scene = await openScene();
    await connect(scene);
    const { session } = await seedSession(scene.caller);
    expect((await exportOwnData(db, session))['applications']).toEqual([
      {
        id: await idOf(scene.caller),
        client_id: scene.caller.clientId,
        application: scene.application,
        name: 'Assistant',
        host: 'assistant.example',
        resource: MCP,
        scopes: ['links:read', 'links:write'],
        connected_at: expect.any(String),
        used_at: expect.any(String),
        ends_at: expect.any(String),
        ended_at: null,
      },
    ]);
  });
});
