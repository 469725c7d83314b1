import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signaturesOf } from '../../../src/webhooks/delivery/sign.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const FORMER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const now = () => Math.floor(Date.now() / 1000);

describe('a signature', () => {
  it('a signature is that of the example in the specification', () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1614265330, body: '{"test": 2432232314}' };
    expect(signaturesOf(message, [SECRET])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it.each([
    ['a short body', '{}'],
    ['an empty body', ''],
    ['characters of several bytes', '{"title":"Ünïcode – 日本 🎉"}'],
    ['a body of 100 KiB', JSON.stringify({ data: 'x'.repeat(100 * 1024) })],
  ])('a signature of %s is the one of the package', (_what, body) => {
    const at = now();
    const ours = signaturesOf({ id: 'evt_1', timestampSeconds: at, body }, [SECRET]);
    expect(ours).toBe(new Webhook(SECRET).sign('evt_1', new Date(at * 1000), body));
  });

  it('a signature of each secret is there during a roll, so that receivers with either one verify it', () => {
    const body = '{"type":"link.created"}';
    const at = now();
    const signatures = signaturesOf({ id: 'evt_2', timestampSeconds: at, body }, [SECRET, FORMER]);
    expect(signatures).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    const headers = { 'webhook-id': 'evt_2', 'webhook-timestamp': String(at), 'webhook-signature': signatures };
    for (const secret of [SECRET, FORMER]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'link.created' });
    }
    const other = new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    expect(() => other.verify(body, headers)).toThrow('No matching signature found');
  });
});
