import { describe, expect, it } from 'vitest';
import { openDomainIsolate, request, seedClaim, seedMember } from '../support/domains.ts';
import { APPLE, ASSETS, filesOf, MAX_BYTES, ofBytes, patchDomain } from '../support/app-links.ts';
import { expectFailure, seedCaller } from '../support/forms.ts';

const JSON_ADVICE = {
  apple_app_site_association: 'must be JSON, such as {"applinks":{"details":[]}}.',
  asset_links:
    'must be JSON, such as [{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"web","site":"https://example.com"}}].',
};
const APPLE_SHAPE = 'must be an object with applinks, webcredentials, appclips or activitycontinuation.';
const STATEMENT =
  'must have in each statement either "relation", an array of texts, and "target", an object with a namespace, or "include", the URL of further statements; this is not so in statement';

describe('an app link file', () => {
  it.each<[what: string, field: keyof typeof JSON_ADVICE, value: unknown, error: string]>([
    ['that is no JSON', 'apple_app_site_association', '{applinks: {}}', JSON_ADVICE.apple_app_site_association],
    ['that is empty', 'asset_links', '', JSON_ADVICE.asset_links],
    ['that is a list', 'apple_app_site_association', [APPLE], APPLE_SHAPE],
    ['that is the text null', 'apple_app_site_association', 'null', APPLE_SHAPE],
    ['that is a boolean', 'apple_app_site_association', true, APPLE_SHAPE],
    ['of none of the services', 'apple_app_site_association', { apps: {} }, APPLE_SHAPE],
    ['that inherits a service', 'apple_app_site_association', '{"__proto__":{"applinks":{}}}', APPLE_SHAPE],
    [
      'of a service that is no object',
      'apple_app_site_association',
      { applinks: {}, webcredentials: [] },
      'must have an object as webcredentials.',
    ],
    ['that is an object', 'asset_links', ASSETS[0], 'must be an array of at least one statement.'],
    ['without a statement', 'asset_links', [], 'must be an array of at least one statement.'],
    ['of a statement that is none', 'asset_links', [...ASSETS, null], `${STATEMENT} 3.`],
    ['of a relation that is a text', 'asset_links', [{ ...ASSETS[0], relation: 'x' }], `${STATEMENT} 1.`],
    ['of a relation that is empty', 'asset_links', [{ ...ASSETS[0], relation: [] }], `${STATEMENT} 1.`],
    ['of a relation of a number', 'asset_links', [{ ...ASSETS[0], relation: [1] }], `${STATEMENT} 1.`],
    ['without a target', 'asset_links', [{ relation: ['x'] }], `${STATEMENT} 1.`],
    ['of a target without a namespace', 'asset_links', [{ relation: ['x'], target: {} }], `${STATEMENT} 1.`],
    ['that includes no URL', 'asset_links', [{ include: 'file:///etc/passwd' }], `${STATEMENT} 1.`],
    [
      'of a number that JavaScript would change',
      'apple_app_site_association',
      { applinks: { details: [2 ** 60] } },
      'has a number that would lose digits: send the number as a string, or the file as a JSON text.',
    ],
    [
      'that is nested too deep',
      'apple_app_site_association',
      `{"applinks":{"details":${'['.repeat(100)}${']'.repeat(100)}}}`,
      'must be nested at most 100 levels deep.',
    ],
    [
      'that is nested as deep as its size allows',
      'apple_app_site_association',
      '['.repeat(MAX_BYTES),
      JSON_ADVICE.apple_app_site_association,
    ],
  ])('an app link file %s is refused: %s', async (_what, field, value, error) => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    await expectFailure(await patchDomain(caller, id, { [field]: value }), 400, `invalid_${field}: ${field} ${error}`);
    expect(await filesOf(id)).toEqual({});
  });

  it.each([
    ['applinks', { applinks: {} }],
    ['webcredentials', { webcredentials: { apps: [] } }],
    ['appclips', { appclips: { apps: [] } }],
    ['activitycontinuation', { activitycontinuation: { apps: [] }, later: 'added' }],
  ])('an app link file of Apple may have %s alone', async (_service, value) => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    expect((await patchDomain(caller, id, { apple_app_site_association: value })).status).toBe(200);
    expect(await filesOf(id)).toEqual({ apple_app_site_association: JSON.stringify(value) });
  });

  it.each(['apple_app_site_association', 'asset_links'] as const)(
    'an app link file %s has at most 128 KB, counted in UTF-8',
    async (field) => {
      const caller = await seedCaller();
      const { id } = await seedClaim(caller);
      const most = ofBytes(field, MAX_BYTES);
      expect((await patchDomain(caller, id, { [field]: most })).status).toBe(200);
      expect(await filesOf(id)).toEqual({ [field]: most });
      for (const value of [ofBytes(field, MAX_BYTES + 1), JSON.parse(ofBytes(field, MAX_BYTES + 1))]) {
        const refused = await patchDomain(caller, id, { [field]: value });
        await expectFailure(refused, 400, `too_long: ${field} must be at most 131072 bytes long.`);
      }
      expect(await filesOf(id)).toEqual({ [field]: most });
    },
  );
});

describe('the body of a change', () => {
  it('the body of a change holds both files at their largest, with all of their quotes escaped', async () => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    const files = {
      apple_app_site_association: ofBytes('apple_app_site_association', MAX_BYTES, '\\"'),
      asset_links: ofBytes('asset_links', MAX_BYTES, '\\"'),
    };
    expect((await patchDomain(caller, id, files)).status).toBe(200);
    expect(await filesOf(id)).toEqual(files);
  });

  it('the body of a change of more than 640 KB is refused', async () => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    await expectFailure(
      await patchDomain(caller, id, { asset_links: 'x'.repeat(640 * 1024) }),
      413,
      'body_too_large: The body may be at most 655360 bytes long.',
    );
  });

  it('the body of a change is read only up to 64 KB from a caller who cannot change the domain', async () => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    const member = await seedMember(caller);
    const large = JSON.stringify({
      apple_app_site_association: ofBytes('apple_app_site_association', MAX_BYTES, 'x'),
      asset_links: ofBytes('asset_links', MAX_BYTES, 'x'),
    });
    const send = (headers: Record<string, string>) => {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < large.length; at += 16_384) pieces.push(Buffer.from(large.slice(at, at + 16_384)));
      const pulled = { bytes: 0 };
      const body = new ReadableStream({
        type: 'bytes',
        pull(controller) {
          const piece = pieces.shift();
          pulled.bytes += piece?.byteLength ?? 0;
          if (piece) controller.enqueue(piece);
          else controller.close();
        },
      });
      const init = { method: 'PATCH', headers: { 'Content-Type': 'application/json', ...headers }, body };
      return openDomainIsolate()(`/v1/domains/${id}`, init).then((response) => ({ response, pulled }));
    };
    for (const [headers, status] of [
      [{ Authorization: 'Bearer x' }, 401],
      [{ Authorization: `Bearer ${member.accessToken}` }, 403],
      [{ 'X-API-Key': caller.apiKey }, 403],
    ] as const) {
      const { response, pulled } = await send(headers);
      expect(response.status).toBe(status);
      // 64 KB, and what the stream has ready.
      expect(pulled.bytes).toBeLessThan(MAX_BYTES);
    }
    const { response } = await send({ Authorization: `Bearer ${caller.accessToken}` });
    expect(response.status).toBe(200);
  });

  it('the body of a change with a list of more items than a file can have is refused before it is parsed', async () => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    await expectFailure(
      await patchDomain(caller, id, { asset_links: Array.from({ length: 70_000 }, () => 1) }),
      400,
      'too_long: asset_links must be at most 131072 bytes long.',
    );
  });

  it('the body of a change with an app link file cannot create a domain', async () => {
    const caller = await seedCaller();
    await expectFailure(
      await request(caller, '/v1/domains', { body: { host: 'a.example', asset_links: ASSETS } }),
      400,
      'unknown_field: There is no field "asset_links" here. Leave it out.',
    );
  });
});
