import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EVENT_NAMES } from '../../src/events/types.ts';
import { parseSealingKeys } from '../../src/secrets/sealing.ts';
import { openSecret } from '../../src/webhooks/secrets.ts';
import { open } from '../support/manage.ts';
import { contentOfTables } from '../support/seed.ts';
import {
  type WebhookRecord,
  openOwner,
  refused,
  seedWebhook,
  sendWebhook,
  webhookAudit,
  webhookRow,
  withoutSecret,
} from '../support/webhook-owners.ts';

afterEach(() => void vi.useRealTimers());

const KEYS = parseSealingKeys(env.WEBHOOK_KEYS ?? '')!;
const NOT_FOUND = refused('not_found: There is no webhook with this id that you can manage.');
const SECRET = /^whsec_[A-Za-z0-9+/]{32}$/;

describe('POST /v1/webhooks', () => {
  it('POST /v1/webhooks returns the webhook and its secret, and keeps the secret encrypted', async () => {
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const owner = await openOwner();
    const { status, body } = await sendWebhook(owner, {
      events: ['link.deleted', 'link.created', 'link.created'],
      description: 'Archive',
    });
    expect(status).toBe(201);
    const now = '2026-05-20T10:00:00.000Z';
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      url: 'http://localhost:9999/hooks',
      description: 'Archive',
      events: ['link.created', 'link.deleted'],
      tag: null,
      campaign_name: null,
      disabled: false,
      disabled_at: null,
      disabled_by: null,
      failing_since: null,
      failing_reason: null,
      former_secret_ends_at: null,
      created_at: now,
      updated_at: now,
      secret: expect.stringMatching(SECRET),
    });
    const row = await webhookRow(body.id);
    expect(await openSecret(KEYS, { id: body.id, secret: row!['secret'] as string })).toBe(body.secret);
    expect(JSON.stringify(await contentOfTables())).not.toContain(body.secret.slice('whsec_'.length));
    expect(await webhookAudit(owner)).toEqual([
      {
        action: 'webhook.created',
        subject: { kind: 'webhook', id: body.id, name: 'localhost' },
        details: { events: ['link.created', 'link.deleted'] },
      },
    ]);
  });

  it('POST /v1/webhooks takes all types of events', async () => {
    const { events } = await seedWebhook(await openOwner(), { events: EVENT_NAMES });
    expect(events).toEqual(EVENT_NAMES);
  });

  it('POST /v1/webhooks takes a tag by its name in any case, or by its id, and a campaign', async () => {
    const owner = await openOwner();
    const { body: tag } = await owner.ask<{ id: string }>('POST', '/v1/tags', { name: 'Summer' });
    expect(await seedWebhook(owner, { tag: 'sUMMER' })).toMatchObject({ tag: 'Summer' });
    expect(await seedWebhook(owner, { tag: tag.id })).toMatchObject({ tag: 'Summer' });
    const named = await seedWebhook(owner, { campaign_name: 'Spring 2026' });
    expect(named).toMatchObject({ campaign_name: 'Spring 2026', tag: null });
  });

  it('POST /v1/webhooks refuses a tag of another client, and one that does not exist', async () => {
    const [owner, other] = [await openOwner(), await openOwner()];
    const { body: tag } = await other.ask<{ id: string }>('POST', '/v1/tags', { name: 'Theirs' });
    for (const name of [tag.id, 'Theirs', 'nothing']) {
      const { status, body } = await sendWebhook(owner, { tag: name });
      expect([status, body]).toEqual([
        400,
        refused('invalid_tag: tag must be the name or the id of a tag that exists.'),
      ]);
    }
  });

  it.each([
    [{ events: [] }, 'invalid_events: events must contain at least one event.'],
    [{ events: ['link.opened'] }, `invalid_events: events.0 must be one of ${EVENT_NAMES.join(', ')}.`],
    [{ events: undefined }, 'missing_field: events is required.'],
    [{ url: undefined }, 'missing_field: url is required.'],
    [{ url: 'hooks' }, 'invalid_url: url must be an https URL, such as https://example.com/webhooks.'],
    [{ url: 'ftp://a.example/' }, 'invalid_url: url must be an https URL, such as https://example.com/webhooks.'],
    [{ url: 'https://u:p@a.example/' }, 'invalid_url: url must not contain a user name or a password.'],
    [{ url: 'https://a.example/#x' }, 'invalid_url: url must not contain a fragment, which is never sent.'],
    [{ url: `https://a.example/${'x'.repeat(2048)}` }, 'too_long: url must be at most 2048 bytes long.'],
    [{ url: `https://a.example/${'ä'.repeat(1020)}` }, 'too_long: url must be at most 2048 bytes long.'],
    [{ description: 'x'.repeat(201) }, 'too_long: description must be at most 200 characters long.'],
    [{ description: 'a\nb' }, 'invalid_description: description must not contain control characters.'],
    [{ campaign_name: '' }, 'must not be empty'],
    [{ secret: 'whsec_mine' }, 'unknown_field: There is no field "secret" here. Leave it out.'],
  ])('POST /v1/webhooks refuses %j', async (fields, sentence) => {
    const owner = await openOwner();
    const { status, body } = await sendWebhook(owner, fields);
    // An empty optional field counts as absent.
    if (sentence === 'must not be empty') return expect([status, body.campaign_name]).toEqual([201, null]);
    expect([status, body]).toEqual([400, refused(sentence)]);
    expect((await owner.ask<{ webhooks: unknown[] }>('GET', '/v1/webhooks')).body.webhooks).toEqual([]);
  });

  it('POST /v1/webhooks creates no more than 20, also at once', async () => {
    const owner = await openOwner();
    await Promise.all(Array.from({ length: 18 }, () => seedWebhook(owner)));
    const sent = await Promise.all(Array.from({ length: 4 }, () => sendWebhook(owner)));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409]);
    expect(sent.find(({ status }) => status === 409)?.body).toEqual(
      refused('too_many_webhooks: The limit of 20 webhooks is reached. Delete one that is not used.'),
    );
    await seedWebhook(await openOwner());
  });

  it('POST /v1/webhooks is refused while the operator has set no keys', async () => {
    const owner = await openOwner(undefined, { WEBHOOK_KEYS: '' });
    const { status, body, headers } = await sendWebhook(owner);
    expect([status, headers.get('Retry-After')]).toEqual([503, '3600']);
    expect(body).toEqual(
      refused(
        'webhooks_off: The operator of this service has not set up webhooks yet: the setting WEBHOOK_KEYS is missing.',
      ),
    );
  });
});

describe('GET /v1/webhooks', () => {
  it('GET /v1/webhooks lists the webhooks of the client page by page, newest first, without secrets', async () => {
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const [owner, other] = [await openOwner(), await openOwner()];
    await seedWebhook(other);
    const made: WebhookRecord[] = [];
    for (const at of ['10:00', '10:01', '10:02']) {
      vi.setSystemTime(`2026-05-20T${at}:00Z`);
      made.unshift(withoutSecret(await seedWebhook(owner)));
    }
    const first = await owner.ask<{ cursor: string }>('GET', '/v1/webhooks?limit=2');
    expect(first.body).toEqual({ webhooks: made.slice(0, 2), cursor: expect.any(String) });
    const last = await owner.ask('GET', `/v1/webhooks?limit=2&cursor=${first.body.cursor}`);
    expect(last.body).toEqual({ webhooks: made.slice(2), cursor: null });
    expect((await owner.ask('GET', `/v1/webhooks/${made[1]!.id}`)).body).toEqual(made[1]);
  });
});

describe('the permissions of callers of /v1/webhooks', () => {
  it('a request about webhooks is for owners only, and for webhooks of their own client', async () => {
    const [owner, other] = [await openOwner(), await openOwner()];
    const webhook = await seedWebhook(owner);
    const calls: [method: string, path: string, body?: object][] = [
      ['GET', ''],
      ['PATCH', '', { disabled: true }],
      ['POST', '/roll'],
      ['DELETE', ''],
    ];
    for (const [method, path, body] of calls) {
      const sent = await other.ask(method, `/v1/webhooks/${webhook.id}${path}`, body);
      expect([method, sent.status, sent.body]).toEqual([method, 404, NOT_FOUND]);
    }
    const byKey = await owner.ask('GET', '/v1/webhooks', undefined, owner.key);
    expect([byKey.status, byKey.body]).toEqual([
      403,
      refused(
        'insufficient_scope: API keys cannot do this: a person must sign in. Use the access_token of GET /tokens/create_token, or the platform.',
      ),
    ]);
    const named = await other.ask('GET', `/v1/webhooks?client_id=${owner.tenant.clientId}`);
    expect([named.status, named.body]).toEqual([403, expect.objectContaining({ result: 'Failed' })]);
    expect((await owner.ask('GET', `/v1/webhooks/${webhook.id}`)).body).toEqual(withoutSecret(webhook));
    expect((await (await open()).ask<{ webhooks: unknown[] }>('GET', '/v1/webhooks')).body.webhooks).toEqual([]);
  });
});
