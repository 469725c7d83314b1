import { expect, it } from 'vitest';
import { begin, comeBack, openProviderScene, providerCookieOf } from '../../support/issuers.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { form } from '../../support/platform.ts';

it('a new person joins whose subject, name, address, token and page are as long as they can be', async () => {
  const scene = await openProviderScene();
  const { clientId } = scene.owner;
  const person = { sub: 's'.repeat(255), name: '漢'.repeat(90), email: `${'e'.repeat(240)}@acme.example` };
  const begun = await begin(scene, { fields: { next: `/platform/c/${clientId}/links?q=${'a'.repeat(240)}` } });
  await scene.issuer.confirm(begun, person, { refreshToken: 't'.repeat(3000) });
  const cookie = providerCookieOf(await comeBack(scene, begun));
  // Browsers drop a longer one.
  expect(cookie.length).toBeLessThan(4000);
  const path = `/platform/sso/${clientId}/join`;
  expect(await (await scene.call(path, { headers: { Cookie: cookie } })).text()).toContain('漢'.repeat(80));
  const joined = await scene.call(path, form({}, { Cookie: cookie }));
  expect([joined.status, joined.headers.get('Location')]).toEqual([303, expect.stringContaining('/links?q=aaa')]);
  const [identity] = await rowsWhere('SELECT * FROM identities WHERE provider_id = ?', scene.provider);
  expect(identity).toMatchObject({ subject: person.sub, name: '漢'.repeat(80), email: person.email });
});

it('a new person whose claims no cookie can hold reads that they are too long', async () => {
  const scene = await openProviderScene();
  const begun = await begin(scene, { fields: { next: `/platform/account?q=${'a'.repeat(270)}` } });
  const person = { sub: '\u0001'.repeat(255), name: '😀'.repeat(80), email: '漢'.repeat(254) };
  await scene.issuer.confirm(begun, person);
  const response = await comeBack(scene, begun);
  const page = await response.text();
  expect([response.status, page.includes('The claims about this person are too long.')]).toEqual([400, true]);
  expect(providerCookieOf(response)).toBe('__Host-terse-provider=');
});
