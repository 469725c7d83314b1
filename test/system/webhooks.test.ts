import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { D1_FOLDER, DATABASE_NAME } from '../../scripts/stored-database.ts';
import { integrityOf } from '../scripts/support/data.ts';
import { makeFolder, until } from '../scripts/support/processes.ts';
import { copyProject, NODE, printedAccount } from '../scripts/support/project.ts';
import { ask, askForToken, makeLink, startServer, type Server, type Tokens } from '../scripts/support/server.ts';
import { startReceiver, type Delivered, type Receiver } from './support/webhook-receiver.ts';

const ok = (response: { end(): unknown }) => void response.end();

/** A service that was started, and its owner. */
async function openService({ args = [] as readonly string[] } = {}) {
  const [folder, persistTo] = [copyProject(), makeFolder()];
  const start = () => startServer({ folder, persistTo, command: [NODE, 'scripts/start.ts'], args });
  const server = await start();
  const account = printedAccount(server.output());
  const { access_token: token } = JSON.parse(
    (await askForToken(server.origin, account.user, account.password)).body,
  ) as Tokens;
  return { server, start, persistTo, account, headers: { Authorization: `Bearer ${token}` } };
}

type Service = Awaited<ReturnType<typeof openService>>;

async function api<Body>({ server, headers }: Service, method: string, path: string, body?: object): Promise<Body> {
  const type = { 'Content-Type': 'application/json' };
  const question = { method, headers: { ...headers, ...(body && type) }, ...(body && { body: JSON.stringify(body) }) };
  const answer = await ask(`${server.origin}${path}`, question);
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as Body;
}

/** Creates a webhook for new links, and gives its secret to the receiver; returns its path. */
async function addWebhook(service: Service, receiver: Receiver): Promise<string> {
  const fields = { url: receiver.url, events: ['link.created'] };
  const { id, secret } = await api<{ id: string; secret: string }>(service, 'POST', '/v1/webhooks', fields);
  receiver.secret = secret;
  return `/v1/webhooks/${id}`;
}

const addLinks = ({ server, account }: Pick<Service, 'server' | 'account'>, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const link = await makeLink(server.origin, account.apiKey, { url: 'https://example.com/', client_id: 'default' });
      return link.id;
    }),
  );

const linksOf = (delivered: readonly Delivered[]) => delivered.map(({ event }) => String(event.data['id']));

/** The id and the body of what came: as many as there are events, however often each was sent. */
const contentsOf = (delivered: readonly Delivered[]) => new Set(delivered.map(({ id, body }) => `${id} ${body}`));

it('webhooks are delivered to each receiver, even if the others fail', async () => {
  const service = await openService({ args: ['--var', 'WEBHOOK_SCHEDULE:0,1,1,1,1,1,1,1,1,1'] });
  const fine = await startReceiver(ok);
  const failing = new Map<string, number>();
  const flaky = await startReceiver((response) => {
    const { id } = flaky.delivered.at(-1)!;
    const failures = failing.get(id) ?? 0;
    failing.set(id, failures + 1);
    response.writeHead(failures < 9 ? 503 : 200).end(failures < 9 ? 'not yet' : 'thanks');
  });
  const hanging = await startReceiver(() => {});
  const gone = await startReceiver((response) => response.writeHead(410).end());
  const elsewhere = await startReceiver(ok);
  const redirecting = await startReceiver((response) => response.writeHead(307, { Location: elsewhere.url }).end());
  const [, flakyPath, hangingPath, gonePath, redirectingPath] = [
    await addWebhook(service, fine),
    await addWebhook(service, flaky),
    await addWebhook(service, hanging),
    await addWebhook(service, gone),
    await addWebhook(service, redirecting),
  ];
  const links = await addLinks(service, 3);

  // The one that hangs never answers.
  await until('the receiver that works has all events', () => fine.delivered.length === 3);
  expect(linksOf(fine.delivered).toSorted()).toEqual(links.toSorted());
  expect(fine.delivered[0]?.event).toMatchObject({
    type: 'link.created',
    data: { short_url: `${service.server.origin}/${linksOf(fine.delivered)[0]}`, url: 'https://example.com/' },
  });

  interface List {
    readonly deliveries: readonly { event_id: string; state: string; attempts: number }[];
  }
  const statesOf = async (path: string) =>
    (await api<List>(service, 'GET', `${path}/deliveries`)).deliveries.map(({ state, attempts }) => [state, attempts]);
  await until('each event has failed nine times, and was accepted then', () => flaky.delivered.length === 30);
  await until('the log says so', async () => (await statesOf(flakyPath)).every(([state]) => state === 'delivered'));
  expect(await statesOf(flakyPath)).toEqual(links.map(() => ['delivered', 10]));
  expect(contentsOf(flaky.delivered).size).toBe(3);
  const [{ id } = { id: '' }] = flaky.delivered;
  const { log } = await api<{ log: readonly object[] }>(service, 'GET', `${flakyPath}/deliveries/${id}`);
  expect(log).toMatchObject([
    ...Array.from({ length: 9 }, () => ({ status: 503, response: 'not yet', reason: null })),
    { number: 10, status: 200, response: 'thanks' },
  ]);

  await until('the one that is gone is disabled', async () => {
    const webhook = await api<{ disabled_by: string | null }>(service, 'GET', gonePath);
    return webhook.disabled_by === 'gone';
  });
  await until('the one that redirects is given up', async () =>
    (await statesOf(redirectingPath)).every(([state]) => state === 'failed'),
  );
  expect(await statesOf(redirectingPath)).toEqual(links.map(() => ['failed', 10]));
  expect(elsewhere.delivered).toEqual([]);
  // Deliveries for the receiver that hangs wait, and none is lost.
  expect((await statesOf(hangingPath)).map(([state]) => state)).toEqual(links.map(() => 'pending'));
  const receivers = [fine, flaky, hanging, gone, elsewhere, redirecting];
  expect(receivers.flatMap(({ faults }) => faults)).toEqual([]);
  expect(fine.delivered).toHaveLength(3);
  const logged = service.server.output() + service.server.errors();
  for (const { secret } of receivers.slice(0, 4)) expect(logged).not.toContain(secret.slice('whsec_'.length));
  await service.server.endAll('SIGTERM');
});

it('webhooks lose nothing when the service is killed, and what comes twice has the same id', async () => {
  const service = await openService();
  let isKilled = false;
  // It accepts some at once, and keeps others waiting: those are killed on their way.
  const receiver = await startReceiver((response, number) => {
    if (isKilled || number % 2 === 0) response.end();
  });
  await addWebhook(service, receiver);
  const links = await addLinks(service, 40);
  await until('some deliveries are under way', () => receiver.delivered.length >= 8);
  await service.server.endAll('SIGKILL');
  isKilled = true;
  const before = receiver.delivered.length;
  expect(integrityOf(service.persistTo)).toEqual(['ok']);
  expect(new Set(linksOf(receiver.delivered)).size).toBeLessThan(links.length);
  passMinutes(service.persistTo, 10);
  const again: Server = await service.start();
  await until('all events have come', () => new Set(linksOf(receiver.delivered)).size === links.length);
  await until('those that were under way have come again', () => receiver.delivered.length > before);
  expect(new Set(linksOf(receiver.delivered))).toEqual(new Set(links));
  expect(contentsOf(receiver.delivered).size).toBe(links.length);
  expect(receiver.faults).toEqual([]);
  await again.endAll('SIGTERM');
});

/** Moves the instants of a service that has ended into the past. What was dispatched has its instant in its body. */
function passMinutes(persistTo: string, minutes: number): void {
  const folder = join(persistTo, D1_FOLDER);
  const file = readdirSync(folder).find((name) => DATABASE_NAME.test(name)) ?? '';
  const database = new DatabaseSync(join(folder, file), { timeout: 5000 });
  try {
    database.exec(`UPDATE deliveries SET next_try_at = next_try_at - ${minutes * 60_000}`);
    database.exec(`UPDATE events SET happened_at = happened_at - ${minutes * 60_000} WHERE dispatched_at IS NULL`);
  } finally {
    database.close();
  }
}
