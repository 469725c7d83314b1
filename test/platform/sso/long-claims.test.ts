import { expect, it } from 'vitest';
import { begin, comeBack, openProviderScene, providerCookieOf } from '../../support/issuers.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { form } from '../../support/platform.ts';

it('a new person joins whose subject, name, address, token and page are as long as they can be', async () => {
  const scene = await openProviderScene();
  const { clientId } = scene.owner;
  const person = { sub: '漢'.repeat(255), name: '😀'.repeat(90), email: '漢'.repeat(254) };
  const begun = await begin(scene, { fields: { next: `/platform/c/${clientId}/links?q=${'a'.repeat(240)}` } });
  await scene.issuer.confirm(begun, person, { refreshToken: 't'.repeat(3000) });
  const cookie = providerCookieOf(await comeBack(scene, begun));
  // Browsers drop a longer one.
  expect(cookie.length).toBeLessThan(4000);
  const path = `/platform/sso/${clientId}/join`;
  expect(await (await scene.call(path, { headers: { Cookie: cookie } })).text()).toContain('😀'.repeat(80));
  const joined = await scene.call(path, form({}, { Cookie: cookie }));
  expect([joined.status, joined.headers.get('Location')]).toEqual([303, expect.stringContaining('/links?q=aaa')]);
  const [identity] = await rowsWhere('SELECT * FROM identities WHERE provider_id = ?', scene.provider);
  expect(identity).toMatchObject({ subject: person.sub, name: '😀'.repeat(80), email: person.email });
});
