import { isLoopback } from '../network/hosts.ts';

/** Ports of public hosts to which no event is sent. */

/**
 * The ports of databases and caches, by what listens there unless it is set up otherwise: some of them read a request of
 * HTTP as commands.
 */
const STORES: Readonly<Record<string, readonly number[]>> = {
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
};

/** The "bad ports" of the fetch standard. Source: https://fetch.spec.whatwg.org/#port-blocking */
const BAD = new Set(
  [
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117',
    '119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601',
    '636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679',
    '6697 10080',
  ].flatMap((line) => line.split(' ').map(Number)),
);

/**
 * Why no event is sent to the port of a URL, as a complaint without its subject and its full stop; null if events are.
 * Loopback hosts are not public, and have rules of their own.
 */
export function portFaultOf(url: URL): string | null {
  // A URL does not name the usual port of its scheme.
  if (url.port === '' || isLoopback(url)) return null;
  const port = Number(url.port);
  const store = Object.entries(STORES).find(([, ports]) => ports.includes(port));
  if (store === undefined && !BAD.has(port)) return null;
  const whose = store === undefined ? 'is of another protocol than HTTP' : `is one of ${store[0]}`;
  return `must not lead to the port ${port}, which ${whose}: use another one, such as 443`;
}
