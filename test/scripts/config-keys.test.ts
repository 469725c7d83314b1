import { generateSealingKey } from '../../src/secrets/sealing.ts';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/config.ts';
import { fault, keys, parse } from './support/settings.ts';

describe('TOKEN_KEYS', () => {
  it('TOKEN_KEYS is a list of private keys, in its order', () => {
    expect(parse({ TOKEN_KEYS: JSON.stringify(keys.slice(1)) }).tokenKeys).toEqual([keys[1]]);
    expect(parse({ TOKEN_KEYS: ` ${JSON.stringify(keys.toReversed(), null, 2)}\n` }).tokenKeys).toEqual(
      keys.toReversed(),
    );
  });

  it('TOKEN_KEYS keeps of a key what signs, and nothing else', () => {
    const labelled = { ...keys[0], kid: 'mine', alg: 'EdDSA', use: 'sig', key_ops: ['sign'] };
    expect(parse({ TOKEN_KEYS: JSON.stringify([labelled]) }).tokenKeys).toEqual([keys[0]]);
  });

  it('TOKEN_KEYS is named if it is missing', () => {
    expect(() => parseConfig({})).toThrow(/^TOKEN_KEYS must be a JSON list/);
  });

  // The first test vector of RFC 8032, section 7.1.
  const PUBLIC_PART = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  const PRIVATE = { ...PUBLIC_PART, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' };

  it('TOKEN_KEYS accepts the kind of key that the refused ones are derived from', () => {
    expect(parse({ TOKEN_KEYS: JSON.stringify([PRIVATE]) }).tokenKeys).toEqual([PRIVATE]);
  });

  it.each([
    ['no value', ''],
    ['no JSON', 'abc'],
    ['broken JSON', JSON.stringify([PRIVATE]).slice(0, -2)],
    ['an empty list', '[]'],
    ['null', 'null'],
    ['a key outside a list', JSON.stringify(PRIVATE)],
    ['a JWK set', JSON.stringify({ keys: [PRIVATE] })],
    ['a public key', JSON.stringify([PUBLIC_PART])],
    ['a second key that is public', JSON.stringify([PRIVATE, PUBLIC_PART])],
    ['a key of another curve', JSON.stringify([{ ...PRIVATE, crv: 'X25519' }])],
    ['a key of another type', JSON.stringify([{ ...PRIVATE, kty: 'EC' }])],
    ['a public half of another key', JSON.stringify([{ ...PRIVATE, x: 'A'.repeat(43) }])],
    ['a secret of 31 octets', JSON.stringify([{ ...PRIVATE, d: 'B'.repeat(42) }])],
    ['a secret of 33 octets', JSON.stringify([{ ...PRIVATE, d: 'B'.repeat(44) }])],
    ['a padded secret', JSON.stringify([{ ...PRIVATE, d: `${PRIVATE.d}=` }])],
    ['base64 with + and /', JSON.stringify([{ ...PRIVATE, d: `+/${PRIVATE.d.slice(2)}` }])],
    ['a secret that is no text', JSON.stringify([{ ...PRIVATE, d: 1 }])],
    ['a text in the list', JSON.stringify([JSON.stringify(PRIVATE)])],
  ])('TOKEN_KEYS refuses %s, and says where to get a good one without repeating it', (_, text) => {
    expect(fault({ TOKEN_KEYS: text })).toBe(
      'TOKEN_KEYS must be a JSON list of private Ed25519 JWKs; "npm run account -- signing-key" prints one.',
    );
  });
});

describe('OPERATOR_KEYS', () => {
  const { d: _, ...PUBLIC } = keys[0];

  it('OPERATOR_KEYS is a list of public keys, or nothing', () => {
    expect(parse({}).operatorKeys).toEqual([]);
    expect(parse({ OPERATOR_KEYS: ' [] ' }).operatorKeys).toEqual([]);
    const labelled = { ...PUBLIC, kid: 'mine', use: 'sig' };
    expect(parse({ OPERATOR_KEYS: JSON.stringify([labelled]) }).operatorKeys).toEqual([PUBLIC]);
  });

  it.each([
    ['no JSON', 'abc'],
    ['a key outside a list', JSON.stringify(PUBLIC)],
    ['a private key', JSON.stringify([keys[0]])],
    ['a public and a private key', JSON.stringify([PUBLIC, keys[1]])],
    ['a key of another curve', JSON.stringify([{ ...PUBLIC, crv: 'X25519' }])],
    ['a key with padding', JSON.stringify([{ ...PUBLIC, x: `${PUBLIC.x}=` }])],
  ])('OPERATOR_KEYS is not %s, which stops the Worker with a sentence', (_, text) => {
    expect(fault({ OPERATOR_KEYS: text })).toBe(
      'OPERATOR_KEYS must be a JSON list of public Ed25519 JWKs, without "d", or empty. "npm run deploy" adds its own key.',
    );
  });
});

describe('WEBHOOK_KEYS', () => {
  const key = generateSealingKey();

  it('WEBHOOK_KEYS is a list of keys, or nothing', () => {
    expect(parse({}).webhookKeys).toEqual([]);
    expect(parse({ WEBHOOK_KEYS: ` ${JSON.stringify([key], null, 2)}\n` }).webhookKeys).toEqual([key]);
  });

  it.each(['abc', '[]', JSON.stringify(key), JSON.stringify([key, key])])(
    'WEBHOOK_KEYS is not %s, which stops the Worker with a sentence that does not repeat it',
    (text) => {
      expect(fault({ WEBHOOK_KEYS: text })).toBe(
        'WEBHOOK_KEYS must be a JSON list of symmetric JWKs of 32 bytes, each with a "kid"; "npm run account -- webhook-key" prints one.',
      );
    },
  );
});
