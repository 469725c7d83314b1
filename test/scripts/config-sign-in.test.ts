import { describe, expect, it } from 'vitest';
import { fault, parse } from './support/settings.ts';

const ACCESS_AUDIENCE = 'a'.repeat(64);

describe('ACCESS_TEAM and ACCESS_AUDIENCE', () => {
  it('ACCESS_TEAM and ACCESS_AUDIENCE go together', () => {
    expect(parse({}).access).toBeNull();
    expect(parse({ ACCESS_TEAM: ' Acme ', ACCESS_AUDIENCE }).access).toEqual({
      issuer: 'https://acme.cloudflareaccess.com',
      audience: ACCESS_AUDIENCE,
    });
  });

  it.each([
    ['a team without an audience', { ACCESS_TEAM: 'acme' }, /^ACCESS_AUDIENCE must be the 64 hexadecimal digits/],
    ['an audience without a team', { ACCESS_AUDIENCE }, /^ACCESS_TEAM must be the name of a Cloudflare One team/],
    ['a host as team', { ACCESS_TEAM: 'acme.cloudflareaccess.com', ACCESS_AUDIENCE }, /^ACCESS_TEAM must be/],
    ['a path in the team', { ACCESS_TEAM: 'evil.example/', ACCESS_AUDIENCE }, /^ACCESS_TEAM must be/],
    ['an audience of another form', { ACCESS_TEAM: 'acme', ACCESS_AUDIENCE: 'terse' }, /^ACCESS_AUDIENCE must be/],
  ])('ACCESS_TEAM and ACCESS_AUDIENCE are refused if they have %s', (_, settings, sentence) => {
    expect(fault(settings)).toMatch(sentence);
  });
});

describe('OIDC_ISSUER and OIDC_CLIENT_ID', () => {
  const OIDC_ISSUER = 'https://id.acme.example/realms/acme';

  it('OIDC_ISSUER and OIDC_CLIENT_ID are the provider of the service, with or without a secret', () => {
    expect(parse({}).serviceProvider).toBeNull();
    expect(parse({ OIDC_ISSUER, OIDC_CLIENT_ID: 'terse', OIDC_TENANTS: 'a, b' }).serviceProvider).toEqual({
      issuer: OIDC_ISSUER,
      application: 'terse',
      secret: null,
      tenants: ['a', 'b'],
    });
  });

  it.each([
    ['an issuer alone', { OIDC_ISSUER }, /^OIDC_CLIENT_ID must be set/],
    ['an application alone', { OIDC_CLIENT_ID: 'terse' }, /^OIDC_ISSUER must be the URL of one issuer/],
    [
      'an issuer of all tenants',
      { OIDC_ISSUER: 'https://login.microsoftonline.com/{tenantid}/v2.0', OIDC_CLIENT_ID: 'terse' },
      /^OIDC_ISSUER must be the URL of one issuer/,
    ],
  ])('OIDC_ISSUER and OIDC_CLIENT_ID are refused if they have %s', (_, settings, sentence) => {
    expect(fault(settings)).toMatch(sentence);
  });
});

describe('SIGN_IN_JOINS', () => {
  it('SIGN_IN_JOINS is a workspace and a role', () => {
    expect(parse({}).signInJoins).toBeNull();
    expect(parse({ SIGN_IN_JOINS: 'acme:member' }).signInJoins).toEqual({ clientId: 'acme', role: 'member' });
  });

  it.each(['acme', 'acme:admin', ':member', 'a b:member', 'acme:member:owner'])('SIGN_IN_JOINS refuses %j', (text) => {
    expect(fault({ SIGN_IN_JOINS: text })).toMatch(/^SIGN_IN_JOINS must be the id of a workspace and a role/);
  });
});
