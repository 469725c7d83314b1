import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject, printedAccount } from '../scripts/support/project.ts';
import { ask, makeLink, startServer, type LinkRecord, type Server } from '../scripts/support/server.ts';

/** `CLICK_PACK_SECONDS` and a second: a click that was answered longer ago is stored. */
const STORED_MS = 2000;

const VISITOR = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

const folder = copyProject();
const persistTo = makeFolder();

/** Follows a link, and closes the connection as soon as the redirect begins to arrive. */
function followAndLeave({ port }: Server, { id }: LinkRecord): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: 'localhost' }, () =>
      socket.write(`GET /${id} HTTP/1.1\r\nHost: localhost:${port}\r\nUser-Agent: ${VISITOR['User-Agent']}\r\n\r\n`),
    );
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.resetAndDestroy();
      resolve(data.toString('latin1').slice(0, 'HTTP/1.1 302'.length));
    });
  });
}

async function clicksOf({ origin }: Server, apiKey: string, { id }: LinkRecord): Promise<number> {
  const { body } = await ask(`${origin}/v1/links/${id}/stats`, { headers: { 'X-API-Key': apiKey } });
  return (JSON.parse(body) as { readonly total: number }).total;
}

it('a server loses no click that it redirected two seconds before it is killed', async () => {
  const first = await startServer({ folder, persistTo });
  const { apiKey } = printedAccount(first.output());
  const make = () => makeLink(first.origin, apiKey, { url: 'https://example.com/', client_id: 'default' });
  const [left, loaded] = [await make(), await make()];

  // Under load, until the kill.
  const answeredAt: number[] = [];
  const load = new AbortController();
  const visitor = async () => {
    while (!load.signal.aborted) {
      const answer = await ask(`${first.origin}/${loaded.id}`, { headers: VISITOR }).catch(() => null);
      if (answer?.status === 302) answeredAt.push(performance.now());
    }
  };
  const visitors = Promise.all([visitor(), visitor(), visitor(), visitor()]);
  await setTimeout(4000);
  const killedAt = performance.now();
  await first.endAll('SIGKILL');
  load.abort();
  await visitors;
  const early = answeredAt.filter((at) => at < killedAt - STORED_MS).length;
  expect(early).toBeGreaterThan(10);

  const second = await startServer({ folder, persistTo });
  const ofLoaded = await clicksOf(second, apiKey, loaded);
  expect(ofLoaded).toBeGreaterThanOrEqual(early);
  // The last answer may be stored and not have arrived.
  expect(ofLoaded).toBeLessThanOrEqual(answeredAt.length + 4);

  // The second and third wait for others, and none follows.
  for (let n = 0; n < 3; n++) expect(await followAndLeave(second, left)).toBe('HTTP/1.1 302');
  await setTimeout(STORED_MS);
  await second.endAll('SIGKILL');
  const third = await startServer({ folder, persistTo });
  expect(await clicksOf(third, apiKey, left)).toBe(3);
  await third.end('SIGTERM');
});
