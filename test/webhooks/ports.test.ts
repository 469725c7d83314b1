import { describe, expect, it } from 'vitest';
import { portFaultOf } from '../../src/webhooks/ports.ts';
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

const faultAt = (port: number) => portFaultOf(new URL(`https://8.8.8.8:${port}/`));

const REFUSED_PORTS = {
  PostgreSQL: [5432, 5433, 6432],
  'MySQL and MariaDB': [3306, 33_060],
  'Microsoft SQL Server': [1433, 1434],
  'Oracle Database': [1521, 2483, 2484],
  'IBM Db2': [50_000],
  Firebird: [3050],
  CockroachDB: [26_257],
  'Redis and Valkey': [6379, 6380, 16_379, 26_379],
  Memcached: [11_211],
  MongoDB: [27_017, 27_018, 27_019],
  'Elasticsearch and OpenSearch': [9200, 9300],
  Solr: [8983],
  Cassandra: [7000, 7001, 9042, 9142, 9160],
  ClickHouse: [9440],
  CouchDB: [5984, 6984],
  Couchbase: [8091, 11_207, 11_210, 18_091],
  ArangoDB: [8529],
  InfluxDB: [8086],
  Neo4j: [7473, 7474, 7687],
  RethinkDB: [28_015],
  etcd: [2379, 2380],
  ZooKeeper: [2181],
  Hazelcast: [5701],
  'of another protocol than HTTP': [
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117',
    '119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601',
    '636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679',
    '6697 10080',
  ].flatMap((line) => line.split(' ').map(Number)),
};

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

  it('a webhook is refused at the usual ports of stores and the bad ones of the fetch standard, and at no others', () => {
    const found = Map.groupBy(
      Array.from({ length: 65_536 }, (_, port) => port).filter((port) => faultAt(port) !== null),
      (port) => /which is (?:one of )?(.*):/.exec(faultAt(port)!)?.[1] ?? '',
    );
    expect(Object.fromEntries(found)).toEqual(REFUSED_PORTS);
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
