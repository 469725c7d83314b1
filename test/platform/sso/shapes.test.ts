import { expect, it } from 'vitest';
import { joinAs, openProviderScene } from '../../support/issuers.ts';
import { rowsWhere } from '../../support/oauth.ts';

/** ID tokens as providers of companies document them, with a rule that makes their person an owner. */
const SHAPES = {
  'Entra ID': {
    rule: { claim: 'roles', value: 'Links.Admin', role: 'owner' },
    person: {
      ver: '2.0',
      tid: '9188040d-6c67-4c5b-b112-36a304b66dad',
      oid: '00000000-0000-0000-66f3-3332eca7ea81',
      sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      name: 'Abe Lincoln',
      preferred_username: 'AbeLi@acme.example',
      roles: ['Links.Admin'],
      aio: 'Df2UVXL1ix!lMCWMSOJBcFatzcGfvFGhjKv8q5g0x732dR5MB5BisvGQO7YWByjd8iQDLq!eGbIDakyp5mnOrcdqHeYSnltepQmRp6AIZ8jY',
      uti: 'ZFOZdYNLEkuMVyV7Sk5AAA',
      rh: '0.ARoAv4j5cvGGr0GRqy180BHbR8h9',
    },
    shown: { name: 'Abe Lincoln', email: null },
  },
  Google: {
    rule: { claim: 'hd', value: 'acme.example', role: 'owner' },
    person: {
      azp: 'terse-at-acme',
      sub: '10769150350006150715113082367',
      at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
      hd: 'acme.example',
      email: 'jsmith@acme.example',
      email_verified: true,
      name: 'Jan Smith',
      picture: 'https://lh3.googleusercontent.com/a/photo',
      given_name: 'Jan',
      family_name: 'Smith',
    },
    shown: { name: 'Jan Smith', email: 'jsmith@acme.example' },
  },
  Okta: {
    rule: { claim: 'groups', value: 'links-admins', role: 'owner' },
    person: {
      sub: '00uid4BxXw6I6TV4m0g3',
      name: 'John Doe',
      email: 'john.doe@acme.example',
      ver: 1,
      jti: 'ID.4eAWJOCMB3SX8XewDfVR',
      amr: ['pwd'],
      idp: '00ok1u7AsAkrwdZL3z0g3',
      preferred_username: 'john.doe@acme.example',
      auth_time: 1_449_624_026,
      groups: ['Everyone', 'links-admins'],
    },
    shown: { name: 'John Doe', email: 'john.doe@acme.example' },
  },
  Keycloak: {
    rule: { claim: 'realm_access.roles', value: 'links-admin', role: 'owner' },
    person: {
      sub: '4f1c8a4e-56f0-4f0a-8a6e-4a6f9a5f2a11',
      typ: 'ID',
      azp: 'terse-at-acme',
      sid: '3a5b0f6e-1f5e-4f0a-9d9a-9c6a6c1f0b11',
      acr: '1',
      realm_access: { roles: ['offline_access', 'links-admin'] },
      email_verified: false,
      preferred_username: 'ann',
      auth_time: 1_449_624_026,
    },
    shown: { name: 'ann', email: null },
  },
} as const;

it.each(Object.entries(SHAPES))('a person of %s signs in with the name and the role of the token', async (_, shape) => {
  const scene = await openProviderScene({ rules: [shape.rule] });
  const { userId } = await joinAs(scene, shape.person);
  expect(await rowsWhere('SELECT subject, name, email FROM identities WHERE user_id = ?', userId)).toEqual([
    { subject: shape.person.sub, ...shape.shown },
  ]);
  expect(await rowsWhere('SELECT role, role_by_claims FROM members WHERE user_id = ?', userId)).toEqual([
    { role: 'owner', role_by_claims: 1 },
  ]);
});
