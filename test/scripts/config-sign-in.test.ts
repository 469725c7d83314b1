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

describe('SIGN_IN_JOINS', () => {
  it('SIGN_IN_JOINS is a workspace and a role', () => {
    expect(parse({}).signInJoins).toBeNull();
    expect(parse({ SIGN_IN_JOINS: 'acme:member' }).signInJoins).toEqual({ clientId: 'acme', role: 'member' });
  });

  it.each(['acme', 'acme:admin', ':member', 'a b:member', 'acme:member:owner'])('SIGN_IN_JOINS refuses %j', (text) => {
    expect(fault({ SIGN_IN_JOINS: text })).toMatch(/^SIGN_IN_JOINS must be the id of a workspace and a role/);
  });
});
