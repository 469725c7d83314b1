import { env } from 'cloudflare:workers';
import { createScheduledController } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { deleteOldMails } from '../../src/mail/retention-sql.ts';
import { openBinding, openHttp } from '../../src/mail/transport.ts';
import { logged } from '../support/clicks.ts';
import { seedCaller } from '../support/forms.ts';
import { confirmAddress, consume, mailsOf, sendThrough, type MailRow } from '../support/mail.ts';
import { db } from '../support/seed.ts';
import { openReceiver, type Behaviour } from '../support/receivers.ts';

const SENDER = { name: 'Terse', address: 'links@terse.test' };
const MAIL = { id: 'm1', to: 'ann@mail.example', subject: 'A subject', text: 'A text', html: '<p>A text</p>' };

/** Inserts a mail about two-step sign-in, which is due. */
async function seedMail(userId: string, fields: Partial<MailRow & { expires_at: number }> = {}): Promise<MailRow> {
  const now = Date.now();
  const row = { id: crypto.randomUUID(), next_try_at: now, expires_at: now + 3_600_000, tries: 0, ...fields };
  await env.DB.prepare(
    `INSERT INTO mails (id, kind, user_id, created_at, expires_at, next_try_at, tries)
     VALUES (?1, 'factors_changed', ?2, ?3, ?4, ?5, ?6)`,
  )
    .bind(row.id, userId, now, row.expires_at, row.next_try_at, row.tries)
    .run();
  return (await mailsOf('factors_changed', userId)).find(({ id }) => id === row.id)!;
}

const rowOf = (id: string) => env.DB.prepare('SELECT * FROM mails WHERE id = ?').bind(id).first<MailRow>();

describe('the HTTP API of mail', () => {
  it('gets JSON with the token and the id of the mail, so that it sends none twice', async () => {
    const receiver = await openReceiver({ answer: '{"id":"x"}' });
    const send = openHttp({ url: new URL(receiver.url), token: 'mail-secret' }, { ...SENDER, name: 'A "B" \\' });
    expect(await send(MAIL)).toBe('sent');
    const [{ headers, body, method }] = (await receiver.received()) as [
      { headers: Record<string, string>; body: string; method: string },
    ];
    expect(method).toBe('POST');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer mail-secret',
      'idempotency-key': 'm1',
    });
    expect(JSON.parse(body)).toEqual({
      from: '"A \\"B\\" \\\\" <links@terse.test>',
      to: ['ann@mail.example'],
      subject: 'A subject',
      text: 'A text',
      html: '<p>A text</p>',
    });
  });

  it.each<[what: string, behaviour: Behaviour, sent: unknown]>([
    ['a server error', { status: 500, answer: 'garbage' }, { error: 'http_500', isRefusal: false }],
    ['too many requests', { status: 429 }, { error: 'http_429', isRefusal: false }],
    ['a wrong token', { status: 401, answer: '{"secret":"mail-secret"}' }, { error: 'http_401', isRefusal: false }],
    ['a mail that it refuses', { status: 422, answer: '{}' }, { error: 'http_422', isRefusal: true }],
    [
      'a redirect',
      { status: 302, headers: { Location: 'http://127.0.0.1/' } },
      { error: 'http_302', isRefusal: false },
    ],
    ['a connection that ends', { ends: true }, { error: 'unreachable', isRefusal: false }],
    ['no response', { hangs: 'before' }, { error: 'timeout', isRefusal: false }],
    ['garbage with a good status', { status: 200, answer: '<html>\0' }, 'sent'],
    ['a response that does not end', { status: 202, hangs: 'after', answer: 'x' }, 'sent'],
  ])('reports %s', async (_, behaviour, sent) => {
    const { url } = await openReceiver(behaviour);
    expect(await openHttp({ url: new URL(url), token: '' }, SENDER, 300)(MAIL)).toEqual(sent);
  });
});

describe('the binding of Cloudflare', () => {
  it('the binding of Cloudflare takes a mail as it is written', async () => {
    expect(await openBinding(env.MAIL!, SENDER)(MAIL)).toBe('sent');
  });

  it('an error of the binding is reported by its code, without its message', async () => {
    const error = Object.assign(new Error('ann@mail.example is not allowed'), { code: 'E_RECIPIENT_NOT_ALLOWED' });
    const send = vi.fn().mockRejectedValue(error);
    expect(await openBinding({ send }, SENDER)(MAIL)).toEqual({ error: 'E_RECIPIENT_NOT_ALLOWED', isRefusal: false });
    send.mockRejectedValue(new Error('what'));
    expect(await openBinding({ send }, SENDER)(MAIL)).toEqual({ error: 'binding_failed', isRefusal: false });
  });
});

describe('a mail in the queue', () => {
  let userId = '';
  beforeEach(async () => {
    ({ userId } = await seedCaller());
    await confirmAddress(userId);
  });

  it('a mail is sent once for several messages about it', async () => {
    const mail = await seedMail(userId);
    expect(await sendThrough([mail, mail])).toHaveLength(1);
    expect(await sendThrough([mail])).toEqual([]);
    expect(await rowOf(mail.id)).toMatchObject({ tries: 1, sent_at: expect.any(Number), error: null });
  });

  it('a mail that is not sent is due again after longer and longer waits, and is given up at the end of its time', async () => {
    const mail = await seedMail(userId);
    await sendThrough([mail], [{ status: 500 }]);
    const after = await rowOf(mail.id);
    expect(after).toMatchObject({ tries: 1, error: 'http_500', sent_at: null, failed_at: null });
    expect(after!.next_try_at - Date.now()).toBeGreaterThan(50_000);
    // Before that, messages change nothing.
    expect(await sendThrough([mail])).toEqual([]);
    await env.DB.prepare('UPDATE mails SET next_try_at = 1, tries = 4 WHERE id = ?').bind(mail.id).run();
    await sendThrough([mail], [{ ends: true }]);
    expect(await rowOf(mail.id)).toMatchObject({ tries: 5, error: 'unreachable', failed_at: expect.any(Number) });
  });

  it('the waits after a mail was not sent grow from a minute to eight hours', async () => {
    const minutes: number[] = [];
    for (let tries = 0; tries < 10; tries++) {
      const mail = await seedMail(userId, { tries, expires_at: Date.now() + 30 * 3_600_000 });
      const sentAt = Date.now();
      await sendThrough([mail], [{ status: 500 }]);
      minutes.push(Math.floor(((await rowOf(mail.id))!.next_try_at - sentAt) / 60_000));
    }
    expect(minutes).toEqual([1, 5, 15, 30, 60, 120, 240, 480, 480, 480]);
  });

  it('a mail that the API refuses is given up at once', async () => {
    const mail = await seedMail(userId);
    await sendThrough([mail], [{ status: 422 }]);
    expect(await rowOf(mail.id)).toMatchObject({ error: 'http_422', failed_at: expect.any(Number) });
  });

  it('a mail whose key is no longer in the settings is given up, and the log says so', async () => {
    const mail = await seedMail(userId);
    await env.DB.prepare(`UPDATE mails SET token_hash = 'of a former key' WHERE id = ?`).bind(mail.id).run();
    const lines = logged();
    expect(await sendThrough([mail])).toEqual([]);
    expect(await rowOf(mail.id)).toMatchObject({ error: 'key_removed', failed_at: expect.any(Number) });
    expect(lines()).toContainEqual(expect.objectContaining({ mail_id: mail.id, detail: 'key_removed' }));
  });

  it('a mail leaves again if its isolate has ended while it was sent, with the same id', async () => {
    const mail = await seedMail(userId);
    const [first] = await sendThrough([mail]);
    await env.DB.prepare('UPDATE mails SET sent_at = NULL, next_try_at = 1 WHERE id = ?').bind(mail.id).run();
    const [second] = await sendThrough([mail]);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(second?.mail).toEqual(first?.mail);
  });

  it('a mail to a user whose address is removed, not confirmed, or whose account is disabled is not sent', async () => {
    const mail = await seedMail(userId);
    await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE id = ?').bind(userId).run();
    expect(await sendThrough([mail])).toEqual([]);
    expect(await rowOf(mail.id)).toBeNull();
  });

  it('the cron sends reminders of mails that are due, and gives up those whose time is over', async () => {
    const due = await seedMail(userId);
    const later = await seedMail(userId, { next_try_at: Date.now() + 60_000 });
    const expired = await seedMail(userId, { expires_at: Date.now() - 1 });
    const sent = vi.spyOn(env.WEBHOOKS, 'sendBatch');
    const app = createApp(parseConfig({ ...env }));
    await app.scheduled(createScheduledController({ cron: '*/5 * * * *', scheduledTime: new Date() }), env);
    const bodies = sent.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body));
    sent.mockRestore();
    expect(bodies).toContainEqual({ mail: due.id });
    expect(bodies).not.toContainEqual({ mail: later.id });
    expect(await rowOf(expired.id)).toMatchObject({ error: 'expired', failed_at: expect.any(Number) });
  });

  it('a mail that was sent is deleted after eight days, and another one 30 days after its time', async () => {
    const [sent, failed] = [await seedMail(userId), await seedMail(userId)];
    await env.DB.prepare('UPDATE mails SET sent_at = created_at WHERE id = ?').bind(sent.id).run();
    const day = 24 * 3_600_000;
    for (const [days, kept] of [
      [7.9, [true, true]],
      [8.1, [false, true]],
      [30, [false, true]],
      [30.1, [false, false]],
    ] as const) {
      await db.batch([deleteOldMails(Date.now() + days * day)]);
      expect([(await rowOf(sent.id)) !== null, (await rowOf(failed.id)) !== null]).toEqual(kept);
    }
  });

  it('a mail waits while mail is off, and leaves by the binding where there is no API', async () => {
    const mail = await seedMail(userId);
    await consume([{ mail: mail.id }], { MAIL_FROM: '' });
    expect(await rowOf(mail.id)).toMatchObject({ tries: 0, sent_at: null });
    await consume([{ mail: mail.id }], { PUBLIC_URL: '' });
    expect(await rowOf(mail.id)).toMatchObject({ tries: 0, sent_at: null });
    await consume([{ mail: mail.id }]);
    expect(await rowOf(mail.id)).toMatchObject({ tries: 1, sent_at: expect.any(Number) });
  });
});
