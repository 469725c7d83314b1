import { describe, expect, it } from 'vitest';
import { failed, open } from '../support/manage.ts';
import { openIsolate, ORIGIN } from '../support/service.ts';

describe('a preview visit', () => {
  it('a preview visit needs only the permission to read links', async () => {
    const manager = await open();
    const id = await manager.make();
    const asked: (number | string)[] = [];
    for (const scope of ['links:read', 'links:write', 'stats:read']) {
      const made = await manager.ask('POST', '/v1/keys', { name: scope, scopes: [scope] });
      const headers = { 'X-API-Key': String(made.body['key']) };
      asked.push(scope, (await manager.ask('POST', `/v1/links/${id}/resolve`, {}, headers)).status);
    }
    expect(asked).toEqual(['links:read', 200, 'links:write', 403, 'stats:read', 403]);
  });

  it('a preview visit of a link of another client is 404', async () => {
    const id = await (await open()).make();
    const { status, body } = await (await open()).ask('POST', `/v1/links/${id}/resolve`, {});
    expect([status, body]).toEqual([
      404,
      { result: 'Failed', error: 'not_found: There is no link with this id that you can access.' },
    ]);
  });

  it.each<readonly [visitor: object, error: string]>([
    [{ country: 'Germany' }, 'too_long: country must be at most 2 characters long.'],
    [{ country: 'UK' }, 'invalid_country: country must be the code of a country (ISO 3166-1 alpha-2) such as DE.'],
    [{ region: 'TX' }, 'invalid_region: region must be the code of a region (ISO 3166-2) such as US-TX.'],
    [{ region: 'US-TX', country: 'MX' }, 'invalid_region: region must be a region of the country.'],
    [{ region: 'US-TEXAS' }, 'too_long: region must be at most 6 characters long.'],
    [{ country: 'ß' }, 'invalid_country: country must be the code of a country (ISO 3166-1 alpha-2) such as DE.'],
    [{ address: '1.2.3' }, 'invalid_address: address must be an IP address such as 192.0.2.1 or 2001:db8::1.'],
    [{ address: '::1]/' }, 'invalid_address: address must be an IP address such as 192.0.2.1 or 2001:db8::1.'],
    [{ address: '1'.repeat(46) }, 'too_long: address must be at most 45 characters long.'],
    [{ language: 5 }, 'invalid_language: language must be a string.'],
    [{ language: 'x'.repeat(1001) }, 'too_long: language must be at most 1000 characters long.'],
    [{ user_agent: [] }, 'invalid_user_agent: user_agent must be a string.'],
    [{ user_agent: 'x'.repeat(1001) }, 'too_long: user_agent must be at most 1000 characters long.'],
    [
      { referrer: 'example.com' },
      'invalid_referrer: referrer must be an absolute http or https URL, such as https://example.com/page.',
    ],
    [{ referrer: `https://e.example/${'x'.repeat(2048)}` }, 'too_long: referrer must be at most 2048 characters long.'],
    [{ query: {} }, 'invalid_query: query must be a string.'],
    [{ query: 'x'.repeat(2049) }, 'too_long: query must be at most 2048 characters long.'],
    [{ path: 1 }, 'invalid_path: path must be a string.'],
    [{ path: 'x'.repeat(2049) }, 'too_long: path must be at most 2048 characters long.'],
    [{ at: 'tomorrow' }, 'invalid_at: at must be an ISO 8601 instant such as 2027-01-01T00:00:00Z.'],
    [{ city: 'Graz' }, 'unknown_field: There is no field "city" here. Leave it out.'],
  ])('a preview visit is refused by its field: $1', async (visitor, error) => {
    const { make, ask } = await open();
    const { status, body } = await ask('POST', `/v1/links/${await make()}/resolve`, visitor);
    expect([status, body]).toEqual([400, { result: 'Failed', error }]);
  });

  it('a preview visit is asked for by POST with JSON only', async () => {
    const { make, bearer, ask } = await open();
    const path = `/v1/links/${await make()}/resolve`;
    const get = await ask('GET', path);
    expect([get.status, get.headers.get('Allow'), get.body]).toEqual([
      405,
      'POST, OPTIONS',
      failed('method_not_allowed'),
    ]);
    const form = await openIsolate()(path, { headers: bearer, form: { country: 'AT' } });
    expect(form.status).toBe(415);
    expect(await form.json()).toEqual(failed('unsupported_media_type'));
    expect(new URL(path, ORIGIN).pathname).toBe(path);
  });
});
