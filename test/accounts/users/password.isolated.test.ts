import { describe, expect, it } from 'vitest';
import { DUMMY_HASH, generatePassword, hashPassword, verifyPassword } from '../../../src/accounts/users/password.ts';

const PHC = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

describe('a password hash', () => {
  it('a password hash says its own parameters, its salt of 16 bytes and its hash of 32', () => {
    const [, ln, r, p, salt = '', hash = ''] = PHC.exec(hashPassword('open sesame')) ?? [];
    expect([ln, r, p]).toEqual(['14', '8', '5']);
    expect(Buffer.from(salt, 'base64')).toHaveLength(16);
    expect(Buffer.from(hash, 'base64')).toHaveLength(32);
  });

  it('a password hash is another one each time, as its salt is', () => {
    const [one, two] = [hashPassword('open sesame'), hashPassword('open sesame')].map((hash) => PHC.exec(hash));
    expect(one?.[4]).not.toBe(two?.[4]);
    expect(one?.[5]).not.toBe(two?.[5]);
  });

  it('a password hash verifies its own password and no other', () => {
    const hash = hashPassword('open sesame');
    expect(verifyPassword('open sesame', hash)).toBe(true);
    for (const wrong of ['', 'open sesam', 'open sesame ', 'Open sesame']) {
      expect(verifyPassword(wrong, hash)).toBe(false);
    }
  });

  it.each([
    ['composed, then decomposed', 'caf\u00e9', 'cafe\u0301'],
    ['decomposed, then composed', 'A\u030angstro\u0308m', '\u00c5ngstr\u00f6m'],
  ])('a password hash takes accents %s for the same password', (_what, chosen, typed) => {
    expect(verifyPassword(typed, hashPassword(chosen))).toBe(true);
  });

  it('a password hash distinguishes texts that only compatibility forms make equal', () => {
    expect(verifyPassword('fi', hashPassword('\ufb01'))).toBe(false);
  });

  it('a password hash is verified by its own parameters, as in the example of RFC 7914', () => {
    const salt = Buffer.from('SodiumChloride').toString('base64').replace(/=+$/, '');
    const derived =
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
      'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887';
    const hash = `$scrypt$ln=14,r=8,p=1$${salt}$${Buffer.from(derived, 'hex').toString('base64').replace(/=+$/, '')}`;
    expect(verifyPassword('pleaseletmein', hash)).toBe(true);
    expect(verifyPassword('pleaseletmeout', hash)).toBe(false);
    expect(verifyPassword('pleaseletmein', hash.replace('p=1', 'p=2'))).toBe(false);
  });

  it.each([
    '',
    'open sesame',
    '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA',
    '$scrypt$ln=14,r=8,p=5$$',
    '$scrypt$ln=14,r=8,p=5$c2FsdA$',
    '$scrypt$ln=14,r=8$c2FsdA$aGFzaA',
    ' $scrypt$ln=14,r=8,p=5$c2FsdA$aGFzaA',
  ])('a password hash of another format verifies nothing: %j', (malformed) => {
    expect(verifyPassword('open sesame', malformed)).toBe(false);
    expect(verifyPassword('', malformed)).toBe(false);
  });

  it('a password hash costs the same where there is no user', () => {
    const cost = (hash: string) => PHC.exec(hash)?.slice(1, 4);
    expect(cost(DUMMY_HASH)).toEqual(cost(hashPassword('open sesame')));
    expect(verifyPassword('', DUMMY_HASH)).toBe(false);
  });
});

it('generates passwords of 20 characters without look-alikes', () => {
  const passwords = Array.from({ length: 100 }, () => generatePassword());
  for (const password of passwords) expect(password).toMatch(/^[6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz]{20}$/);
  expect(new Set(passwords).size).toBe(100);
});
