import { describe, expect, it } from 'vitest';
import { MailTokens } from '../../src/mail/mail-tokens.ts';
import { hashSecret } from '../../src/secrets/random-secrets.ts';

describe('the token in the link of a mail', () => {
  it('a token is found again by its hash, also after its key was replaced, and not without it', () => {
    const token = new MailTokens(['old']).newToken('mail');
    expect(token).toMatch(/^[A-Za-z0-9]{43}$/);
    const hash = hashSecret(token);
    expect(new MailTokens(['new', 'old']).tokenOf('mail', hash)).toBe(token);
    expect(new MailTokens(['new']).tokenOf('mail', hash)).toBeNull();
    expect(new MailTokens(['old']).tokenOf('another', hash)).toBeNull();
  });

  it('each mail has a token of its own', () => {
    const tokens = new MailTokens(['secret']);
    const all = Array.from({ length: 500 }, (_, index) => tokens.newToken(`mail ${index}`));
    expect(new Set(all).size).toBe(500);
    for (const token of all) expect(token).toHaveLength(43);
  });
});
