import { describe, expect, it } from 'vitest';
import {
  generateSealingKey,
  parseSealingKeys,
  seal,
  unseal,
  UnsealError,
  type SealingKey,
} from '../../src/secrets/sealing.ts';

const [FIRST, SECOND] = [generateSealingKey(), generateSealingKey()];

describe('seal and unseal', () => {
  it('seal and unseal give the text back, and never the same ciphertext', async () => {
    const sealed = await seal([FIRST], 'a webhook', 'whsec_ä');
    expect(sealed).toMatch(new RegExp(`^${FIRST.kid}\\.[\\w-]{48}$`));
    expect(await unseal([FIRST], 'a webhook', sealed)).toBe('whsec_ä');
    expect(await seal([FIRST], 'a webhook', 'whsec_ä')).not.toBe(sealed);
  });

  it('seal and unseal encrypt by the first key, and decrypt by each', async () => {
    const before = await seal([FIRST], 'a webhook', 'text');
    const rotated = [SECOND, FIRST];
    expect(await unseal(rotated, 'a webhook', before)).toBe('text');
    const after = await seal(rotated, 'a webhook', 'text');
    await expect(unseal([FIRST], 'a webhook', after)).rejects.toThrow(UnsealError);
    expect(await unseal([SECOND], 'a webhook', after)).toBe('text');
  });

  it('seal and unseal refuse a text of another owner, a changed one, and what is none', async () => {
    const sealed = await seal([FIRST], 'a webhook', 'text');
    const changed = `${sealed.slice(0, -3)}${sealed.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    const otherKey: SealingKey = { ...SECOND, kid: FIRST.kid };
    await expect(unseal([FIRST], 'another webhook', sealed)).rejects.toThrow(UnsealError);
    await expect(unseal([FIRST], 'a webhook', changed)).rejects.toThrow(UnsealError);
    await expect(unseal([otherKey], 'a webhook', sealed)).rejects.toThrow(UnsealError);
    for (const text of ['', '.', FIRST.kid, `${FIRST.kid}.`, `${FIRST.kid}.AAAA`])
      await expect(unseal([FIRST], 'a webhook', text)).rejects.toThrow(UnsealError);
  });
});

describe('parseSealingKeys', () => {
  it('parseSealingKeys reads a list of keys, and ignores their other fields', () => {
    const text = JSON.stringify([{ ...FIRST, alg: 'A256GCM' }, SECOND]);
    expect(parseSealingKeys(text)).toEqual([FIRST, SECOND]);
  });

  it.each([
    ['no JSON', 'keys'],
    ['no list', JSON.stringify(FIRST)],
    ['an empty list', '[]'],
    ['null', '[null]'],
    ['no id', JSON.stringify([{ ...FIRST, kid: undefined }])],
    ['an id with a dot', JSON.stringify([{ ...FIRST, kid: 'a.b' }])],
    ['the same id twice', JSON.stringify([FIRST, { ...SECOND, kid: FIRST.kid }])],
    ['a short key', JSON.stringify([{ ...FIRST, k: FIRST.k.slice(1) }])],
    ['another kind of key', JSON.stringify([{ ...FIRST, kty: 'OKP' }])],
  ])('parseSealingKeys refuses %s', (_, text) => {
    expect(parseSealingKeys(text)).toBeNull();
  });
});
