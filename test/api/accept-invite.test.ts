import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectFailure, seedCaller } from '../support/forms.ts';
import { ask, send } from '../support/management.ts';
import { rowsOf } from '../support/seed.ts';
import { accept, acceptAsNew, invite } from '../support/invites.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const left = async () => [await rowsOf('users'), await rowsOf('members'), await rowsOf('audit_entries')];

describe('accepting an invite', () => {
  it.each<[what: string, fields: object, error: string]>([
    ['no token', { token: undefined }, 'missing_field: token is required.'],
    ['no name', { name: undefined }, 'missing_field: name is required.'],
    [
      'a name with a colon',
      { name: 'a:b' },
      'invalid_name: name must be 1 to 128 characters without colons, and without spaces at the start or end.',
    ],
    ['no password', { password: undefined }, 'missing_field: password is required.'],
    ['a short password', { password: '1234567' }, 'invalid_password: password must be at least 8 characters long.'],
    ['a role of one’s own choice', { role: 'owner' }, 'unknown_field: There is no field "role" here. Leave it out.'],
  ])('accepting an invite without an account is refused with %s', async (_what, fields, error) => {
    const { token } = await invite(await seedCaller());
    const before = await left();
    await expectFailure(await acceptAsNew(token, fields), 400, error);
    expect(await left()).toEqual(before);
  });

  it('accepting an invite as a user takes the token and nothing else', async () => {
    const [owner, guest] = [await seedCaller(), await seedCaller()];
    const { token } = await invite(owner);
    const error = 'unknown_field: There is no field "name" here. Leave it out.';
    await expectFailure(await ask(guest, 'POST', '/v1/invites/accept', { token, name: 'x' }), 400, error);
  });

  it('accepting an invite refuses keys, api_tokens and revoked credentials', async () => {
    const [owner, guest] = [await seedCaller(), await seedCaller()];
    const { token } = await invite(owner);
    const before = await left();
    for (const key of [guest.apiKey, guest.apiToken]) {
      const response = await send({ 'X-API-Key': key }, 'POST', '/v1/invites/accept', { token });
      await expectFailure(
        response,
        403,
        'insufficient_scope: Only a person can accept an invite. Use an access token.',
      );
    }
    const basic = await send({ Authorization: guest.basic }, 'POST', '/v1/invites/accept', { token });
    await expectFailure(basic, 401, expect.stringMatching(/^missing_credential: /));
    await env.DB.prepare('UPDATE token_families SET ended_at = 1 WHERE user_id = ?').bind(guest.userId).run();
    const ended = await accept(guest, token);
    expect(ended.headers.get('WWW-Authenticate')).toContain('invalid_token');
    await expectFailure(ended, 401, expect.stringMatching(/^invalid_credential: /));
    expect(await left()).toEqual(before);
  });

  it('accepting an invite without an account is limited by address', async () => {
    vi.spyOn(env.SIGN_IN_ADDRESS_LIMIT, 'limit').mockResolvedValue({ success: false });
    const { token } = await invite(await seedCaller());
    const response = await acceptAsNew(token);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    await expectFailure(response, 429, expect.stringMatching(/^too_many_requests: /));
    vi.spyOn(env.SIGN_IN_ADDRESS_LIMIT, 'limit').mockRejectedValue(new Error('out of order'));
    await expectFailure(await acceptAsNew(token), 503, expect.stringMatching(/^store_unavailable: /));
  });
});
