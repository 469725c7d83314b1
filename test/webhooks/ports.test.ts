import { describe, expect, it } from 'vitest';
import {
  openOwner,
  refused,
  seedHost,
  seedWebhook,
  seedWebhookRow,
  sendWebhook,
  webhookRow,
} from '../support/webhook-owners.ts';

/** The ports of public hosts to which a webhook can be sent. */

const PUBLIC = { a: ['8.8.8.8'] };
const OTHER = 'is of another protocol than HTTP';

const fault = (port: number, whose: string) =>
  `invalid_url: url must not lead to the port ${port}, which ${whose}: use another one, such as 443.`;

describe('a webhook', () => {
  it.each([
    [1, OTHER],
    [22, OTHER],
    [25, OTHER],
    [6000, OTHER],
    [6667, OTHER],
    [10_080, OTHER],
    [5432, 'is one of PostgreSQL'],
    [3306, 'is one of MySQL and MariaDB'],
    [1433, 'is one of Microsoft SQL Server'],
    [6379, 'is one of Redis and Valkey'],
    [11_211, 'is one of Memcached'],
    [27_017, 'is one of MongoDB'],
    [9200, 'is one of Elasticsearch and OpenSearch'],
    [5984, 'is one of CouchDB'],
    [9042, 'is one of Cassandra'],
  ])('a webhook is refused at the port %i of a public host, by its name and by its address', async (port, whose) => {
    const owner = await openOwner();
    for (const host of [await seedHost(PUBLIC), '8.8.8.8', '[2606:4700:4700::1111]']) {
      const { status, body } = await sendWebhook(owner, { url: `https://${host}:${port}/` });
      expect([host, status, body]).toEqual([host, 400, refused(fault(port, whose))]);
    }
    expect((await owner.ask('GET', '/v1/webhooks')).body).toMatchObject({ webhooks: [] });
  });

  it.each(['443', '80', '8443', '8080', '3000', '49152'])(
    'a webhook is taken at the port %s of a public host',
    async (port) => {
      const url = `https://${await seedHost(PUBLIC)}:${port}/`;
      expect(await seedWebhook(await openOwner(), { url })).toMatchObject({
        url: new URL(url).href,
        failing_reason: null,
      });
    },
  );

  it('a webhook is taken at any port of this machine, where that is allowed', async () => {
    const url = 'http://localhost:5432/';
    expect(await seedWebhook(await openOwner(), { url })).toMatchObject({ url, failing_reason: null });
  });

  it('a webhook is not moved to a port that is refused, and stays as it was', async () => {
    const owner = await openOwner();
    const host = await seedHost(PUBLIC);
    const { id, url } = await seedWebhook(owner, { url: `https://${host}/` });
    const changed = await owner.ask('PATCH', `/v1/webhooks/${id}`, { url: `https://${host}:6379/` });
    expect([changed.status, changed.body]).toEqual([400, refused(fault(6379, 'is one of Redis and Valkey'))]);
    expect(await webhookRow(id)).toMatchObject({ url });
  });

  it('a webhook from before this rule is kept, says why it fails, takes other changes, and another port', async () => {
    const owner = await openOwner();
    const host = await seedHost(PUBLIC);
    const url = `https://${host}:5432/hook`;
    const path = `/v1/webhooks/${await seedWebhookRow(owner.tenant.clientId, { url })}`;
    const failing = { url, failing_reason: 'refused_port', disabled: false };
    expect((await owner.ask('GET', path)).body).toMatchObject(failing);
    expect(await owner.ask('PATCH', path, { url, description: 'x' })).toMatchObject({
      status: 200,
      body: { ...failing, description: 'x' },
    });
    const moved = `https://${host}/hook`;
    expect(await owner.ask('PATCH', path, { url: moved })).toMatchObject({
      status: 200,
      body: { url: moved, failing_reason: null },
    });
  });
});
