import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '../../../src/events/types.ts';
import { openSecret } from '../../../src/webhooks/secrets.ts';
import { newNonce } from '../../../src/secrets/random-secrets.ts';
import { seedMember } from '../../support/management.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { form, placeOf, textOf } from '../../support/platform.ts';
import { LOOPBACK_URL, seedHost, seedWebhookRow, WEBHOOK_KEYS, webhookRow } from '../../support/webhook-owners.ts';
import { openWebhookPages } from '../../support/webhook-scene.ts';

const secretIn = (page: string) => /value="(whsec_[\w+/=]+)"/.exec(page)?.[1] ?? '';
const rowsOf = async ({ clientId }: { clientId: string }) =>
  (await env.DB.prepare('SELECT * FROM webhooks WHERE client_id = ?').bind(clientId).all()).results;
const newFields = (more: Readonly<Record<string, string>> = {}) => ({
  url: LOOPBACK_URL,
  events: 'link.created',
  nonce: newNonce(),
  ...more,
});

it('a form whose URL cannot be looked up in DNS now is shown again with what was typed, and can be sent again', async () => {
  const { caller, browse, path } = await openWebhookPages();
  const url = `https://${await seedHost({ rcode: 'SERVFAIL' })}/hooks`;
  const typed = { url, description: 'Kept & typed', events: 'link.created' };
  const response = await browse(`${path}/new`, form(newFields(typed)));
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  const page = await response.text();
  expect(page).toContain('<h1>New webhook</h1>');
  expect(page).toMatch(/ role="alert">[^<]*DNS/);
  expect(pageFieldsOf(page)).toMatchObject(typed);
  expect(await rowsOf(caller)).toEqual([]);
  const id = await seedWebhookRow(caller.clientId);
  const changed = await browse(`${path}/${id}`, form({ ...typed, tag: '', campaign_name: '' }));
  expect(changed.status).toBe(503);
  expect(pageFieldsOf(await changed.text())).toMatchObject(typed);
});

it('a new webhook has the focus on its URL, and one that is refused on what is wrong', async () => {
  const { browse, path } = await openWebhookPages();
  expect(await textOf(browse(`${path}/new`))).toMatch(/<input [^>]*name="url"[^>]* autofocus/);
  const refused = await textOf(browse(`${path}/new`, form(newFields({ url: '' }))));
  expect(refused.match(/<\w+ [^>]*autofocus/g)).toEqual([expect.stringContaining('class="notice danger')]);
});

describe('the list of webhooks', () => {
  it('the list of webhooks says what the next step is while it is empty', async () => {
    const { browse, path } = await openWebhookPages();
    const page = await textOf(browse(path));
    expect(page).toContain('<h2>No webhooks yet</h2>');
    expect(page).toContain(`href="${path}/new"`);
  });

  it('the list of webhooks shows each webhook with its state and its events, and no secret', async () => {
    const { caller, browse, path } = await openWebhookPages();
    const ids = [
      await seedWebhookRow(caller.clientId, {
        url: 'https://one.example/?a&b',
        events: '["link.created","key.revoked"]',
      }),
      await seedWebhookRow(caller.clientId, { url: 'https://two.example/', failing_since: 1 }),
      await seedWebhookRow(caller.clientId, { url: 'https://three.example/', disabled_at: 1, disabled_by: 'owner' }),
    ];
    const theirs = await seedWebhookRow((await openWebhookPages()).caller.clientId);
    const page = await textOf(browse(path));
    for (const id of ids) expect(page).toContain(`href="${path}/${id}"`);
    expect(page).toContain('https://one.example/?a&amp;b');
    expect(page).toContain('link.created, key.revoked');
    expect(page).not.toContain(theirs);
    const badges = [...page.matchAll(/class="badge (\w+)">(\w+)/g)].map(([, kind, word]) => `${kind} ${word}`);
    expect(badges.toSorted()).toEqual(['success Active', 'warning Disabled', 'warning Failing']);
    const { secret } = (await webhookRow(ids[0]!))!;
    expect(page).not.toContain('whsec_');
    expect(page).not.toContain(String(secret));
  });

  it('the list of webhooks says of a webhook from before the rules of ports why it fails, as its own page does', async () => {
    const { caller, browse, path } = await openWebhookPages();
    const id = await seedWebhookRow(caller.clientId, { url: 'https://one.example:6379/' });
    expect(await textOf(browse(path))).toContain('<span class="badge warning">Failing</span>');
    expect(await textOf(browse(`${path}/${id}`))).toContain(
      'Events are not sent: its URL must not lead to the port 6379. Use another one, such as 443.',
    );
  });

  it('the list of webhooks is for owners only', async () => {
    const { caller, path } = await openWebhookPages();
    const id = await seedWebhookRow(caller.clientId);
    const { browse } = await openWebhookPages(await seedMember(caller));
    for (const place of ['', '/new', `/${id}`, `/${id}/roll`, `/${id}/delete`])
      expect([place, (await browse(`${path}${place}`)).status]).toEqual([place, 403]);
    expect((await browse(`${path}/${id}/delete`, form({}))).status).toBe(403);
    expect(await rowsOf(caller)).toHaveLength(1);
    expect(await textOf(browse(`/platform/c/${caller.clientId}/keys`))).not.toContain(path);
  });

  it('the list of webhooks knows no webhook of another workspace', async () => {
    const id = await seedWebhookRow((await openWebhookPages()).caller.clientId);
    const { browse, path } = await openWebhookPages();
    for (const place of ['', '/roll', '/delete', '/deliveries/evt_1'])
      expect([place, (await browse(`${path}/${id}${place}`)).status]).toEqual([place, 404]);
    for (const place of ['/delete', '/disable', '/enable', '/test'])
      expect([place, (await browse(`${path}/${id}${place}`, form({}))).status]).toEqual([place, 404]);
    expect(await webhookRow(id)).toMatchObject({ disabled_at: null });
  });
});

describe('a new webhook', () => {
  it('a new webhook has each event with a sentence, and offers tags and campaigns', async () => {
    const { caller, browse, path } = await openWebhookPages();
    await env.DB.prepare(
      `INSERT INTO tags (id, client_id, name, folded, colour, created_at) VALUES ('t' || ?1, ?1, 'Summer', 'summer', 'red', 1)`,
    )
      .bind(caller.clientId)
      .run();
    const page = await textOf(browse(`${path}/new`));
    for (const name of EVENT_NAMES) expect(page).toContain(`value="${name}"`);
    expect(page).toContain(
      'A link was changed, enabled, disabled or restored. The field “previous” has the former values',
    );
    expect(page).toContain(`<option value="t${caller.clientId}">Summer</option>`);
    expect(page).toContain('list="campaigns"');
  });

  it('a new webhook shows its secret once, with how to verify, and a repeated form shows none', async () => {
    const { caller, browse, path } = await openWebhookPages();
    const fields = newFields({ description: 'Archive', campaign_name: 'Spring' });
    const response = await browse(`${path}/new`, form(fields));
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([201, 'no-store']);
    const page = await response.text();
    const [row] = await rowsOf(caller);
    expect(row).toMatchObject({ url: LOOPBACK_URL, description: 'Archive', campaign: 'Spring', tag_id: null });
    expect(secretIn(page)).toBe(
      await openSecret(WEBHOOK_KEYS, { id: String(row!['id']), secret: String(row!['secret']) }),
    );
    expect(page).toContain('import { Webhook } from &#39;standardwebhooks&#39;');
    const again = await browse(`${path}/new`, form(fields));
    expect(again.status).toBe(200);
    const repeated = await again.text();
    expect(repeated).toContain('<h1>Already sent</h1>');
    expect(repeated).not.toContain('whsec_');
    expect(await rowsOf(caller)).toHaveLength(1);
    expect(await textOf(browse(`${path}/${String(row!['id'])}`))).not.toContain('whsec_');
  });

  it.each([
    [{ url: 'https://10.0.0.1/' }, 'url', 'This must lead to a host of the public internet'],
    [{ url: 'https://terse.test/' }, 'url', 'leads to a host of this service'],
    [{ url: '' }, 'url', 'This is required.'],
    [{ events: '' }, 'events', 'must be one of'],
    [{ tag: 'none' }, 'tag', 'must be the name or the id of a tag that exists'],
  ])('a new webhook says beside its field what is wrong with %j', async (wrong, field, sentence) => {
    const { caller, browse, path } = await openWebhookPages();
    const response = await browse(`${path}/new`, form(newFields({ description: 'kept', ...wrong })));
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(new RegExp(`id="fault-${field}">([^<]*)`).exec(page)?.[1]).toContain(sentence);
    expect(page).toContain('value="kept"');
    expect(await rowsOf(caller)).toEqual([]);
  });

  it('a new webhook asks for at least one event', async () => {
    const { browse, path } = await openWebhookPages();
    const { events: _, ...fields } = newFields();
    const page = await textOf(browse(`${path}/new`, form(fields)));
    expect(page).toContain('id="fault-events">This must contain at least one event.');
  });
});

describe('a webhook', () => {
  it.each([
    [{}, 'Active', 'Events are sent.'],
    [{ failing_since: 1 }, 'Failing', 'Deliveries have failed since'],
    [{ disabled_at: 1, disabled_by: 'owner' }, 'Disabled', 'What happens meanwhile is not sent later.'],
    [{ disabled_at: 1, disabled_by: 'gone' }, 'Disabled', 'since its server responded with the status 410'],
    [{ disabled_at: 1, disabled_by: 'failures' }, 'Disabled', 'since no delivery succeeded for five days'],
  ])('a webhook with %j says its state', async (fields, badge, sentence) => {
    const { caller, browse, path } = await openWebhookPages();
    const id = await seedWebhookRow(caller.clientId, fields);
    const page = await textOf(browse(`${path}/${id}`));
    expect(page).toContain(`>${badge}</span>`);
    expect(page).toContain(sentence);
    expect(page.includes('>Enable</button>')).toBe(badge === 'Disabled');
    expect(page.includes('>Send test event</button>')).toBe(badge !== 'Disabled');
  });

  it('a webhook is changed, and an empty tag or campaign is cleared', async () => {
    const { caller, browse, path } = await openWebhookPages();
    const id = await seedWebhookRow(caller.clientId, { campaign: 'Spring', url: LOOPBACK_URL });
    expect(await textOf(browse(`${path}/${id}`))).toContain('value="Spring"');
    const fields = { url: LOOPBACK_URL, description: 'new', tag: '', campaign_name: '', events: 'link.clicked' };
    expect(placeOf(await browse(`${path}/${id}`, form(fields)))).toEqual([303, `${path}/${id}`]);
    expect(await webhookRow(id)).toMatchObject({
      description: 'new',
      campaign: null,
      tag_id: null,
      events: '["link.clicked"]',
    });
    const wrong = await browse(`${path}/${id}`, form({ ...fields, url: 'https://192.168.0.1/' }));
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('id="fault-url">This must lead to a host of the public internet');
    expect((await browse(`${path}/${id}`, form({ ...fields, url: '' }))).status).toBe(400);
    expect(await webhookRow(id)).toMatchObject({ url: LOOPBACK_URL, description: 'new' });
    expect((await browse(`${path}/${id}`, form({ ...fields, description: '' }))).status).toBe(303);
    expect(await webhookRow(id)).toMatchObject({ url: LOOPBACK_URL, description: '' });
  });

  it('a webhook is disabled and enabled', async () => {
    const { caller, browse, path } = await openWebhookPages();
    const id = await seedWebhookRow(caller.clientId);
    expect(placeOf(await browse(`${path}/${id}/disable`, form({})))).toEqual([303, `${path}/${id}`]);
    expect(await webhookRow(id)).toMatchObject({ disabled_at: expect.any(Number), disabled_by: 'owner' });
    expect(placeOf(await browse(`${path}/${id}/enable`, form({})))).toEqual([303, `${path}/${id}`]);
    expect(await webhookRow(id)).toMatchObject({ disabled_at: null, disabled_by: null });
  });

  it('a webhook gets a new secret after a question, which is shown once', async () => {
    const { caller, browse, path } = await openWebhookPages();
    const id = await seedWebhookRow(caller.clientId);
    const question = await textOf(browse(`${path}/${id}/roll`));
    expect(question).toContain('Roll the secret of this webhook?');
    const nonce = /name="nonce" value="([\w-]{22})"/.exec(question)?.[1] ?? '';
    const rolled = await textOf(browse(`${path}/${id}/roll`, form({ nonce })));
    const { secret } = (await webhookRow(id))!;
    expect(secretIn(rolled)).toBe(await openSecret(WEBHOOK_KEYS, { id, secret: String(secret) }));
    const again = await textOf(browse(`${path}/${id}/roll`, form({ nonce })));
    expect(again).toContain('<h1>Already sent</h1>');
    expect((await webhookRow(id))!['secret']).toBe(secret);
    expect(await textOf(browse(`${path}/${id}`))).toContain('The previous secret signs too until');
  });

  it('a webhook is deleted after a question whose focus is on Cancel', async () => {
    const { caller, browse, path } = await openWebhookPages();
    const id = await seedWebhookRow(caller.clientId);
    const question = await textOf(browse(`${path}/${id}/delete`));
    expect(question).toContain('https://hooks.example.com/terse');
    expect(question).toMatch(/<a [^>]*autofocus[^>]*>Cancel<\/a>/);
    expect(placeOf(await browse(`${path}/${id}/delete`, form({})))).toEqual([303, path]);
    expect(await rowsOf(caller)).toEqual([]);
  });
});

it('a change of a webhook is in the audit log in sentences', async () => {
  const { caller, browse, path } = await openWebhookPages();
  await browse(`${path}/new`, form(newFields()));
  const [{ id } = {}] = await rowsOf(caller);
  const place = `${path}/${String(id)}`;
  await browse(place, form({ url: 'http://localhost:9999/secret-path', events: 'link.clicked' }));
  await browse(`${place}/disable`, form({}));
  await browse(`${place}/roll`, form({ nonce: newNonce() }));
  await browse(`${place}/delete`, form({}));
  const page = await textOf(browse(`/platform/c/${caller.clientId}/audit`));
  const text = page.replace(/<[^>]+>|[\u2066-\u2069]/g, '');
  for (const sentence of [
    'created a webhook to localhost, for link.created.',
    'changed the URL and events of the webhook to localhost.',
    'disabled the webhook to localhost.',
    'rolled the secret of the webhook to localhost.',
    'deleted the webhook to localhost.',
  ])
    expect(text).toContain(sentence);
  expect(page).not.toContain('secret-path');
});
