import { expect, it } from 'vitest';
import { exportOf } from '../../support/exports.ts';
import type { Caller } from '../../support/forms.ts';
import { fieldsOf, sent, upload } from '../../support/import-pages.ts';
import { openLinks, placeOf, textOf } from '../../support/platform.ts';
import { rowsOf } from '../../support/seed.ts';
import { makeStale } from '../../support/sessions.ts';
import { ORIGIN } from '../../support/service.ts';

const domainsOf = async ({ clientId }: Caller) =>
  (await rowsOf('domains')).filter((row) => row['client_id'] === clientId).map(({ host }) => host);

/** The links page of an owner, and a host that the workspace does not have. */
async function openOwner() {
  const scene = await openLinks();
  const host = `${scene.caller.clientId.toLowerCase().replaceAll(/[^a-z0-9]/g, 'x')}.example`;
  return { ...scene, host };
}

const pieceOf = (text: string): RequestInit => {
  const fields = { format: 'csv', checked: '', rows_before: '0', rows: '0', unchanged: '0', failed: '0' };
  const import_id = crypto.randomUUID();
  const init = sent({ file: new File([text], 'a.csv'), ...fields, import_id, is_last: 'true' });
  return { ...init, headers: { Origin: ORIGIN, Accept: 'application/problem+json' } };
};

it('a file whose domains the workspace does not have adds them only in a session that was confirmed lately', async () => {
  const { caller, browse, path, host } = await openOwner();
  const file = () => upload(exportOf('dub.csv', host));
  const checked = fieldsOf(await textOf(browse(`${path}/import`, file())));
  await makeStale(caller);
  const from = { Referer: `${ORIGIN}${path}/files` };
  const asks = [303, `/platform/confirm?next=${encodeURIComponent(`${path}/files`)}`];
  for (const [at, init] of [
    ['import', file()],
    ['import/run', sent(checked)],
  ] as const) {
    const headers = { ...(init.headers as Record<string, string>), ...from };
    expect(placeOf(await browse(`${path}/${at}`, { ...init, headers }))).toEqual(asks);
  }
  const piece = await browse(`${path}/import/piece`, pieceOf(`url,custom_domain\nhttps://example.com/,${host}\n`));
  expect([piece.status, await piece.json()]).toMatchObject([403, { code: 'step_up_required' }]);
  expect(await domainsOf(caller)).toEqual([]);
});

it('a file without a new domain is imported in any session', async () => {
  const { caller, browse, path, host } = await openOwner();
  const file = () => upload(exportOf('dub.csv', host));
  const first = fieldsOf(await textOf(browse(`${path}/import`, file())));
  expect((await browse(`${path}/import/run`, sent(first))).status).toBe(303);
  expect(await domainsOf(caller)).toEqual([host]);
  await makeStale(caller);
  expect((await browse(`${path}/import`, file())).status).toBe(200);
  const piece = await browse(`${path}/import/piece`, pieceOf(`url,custom_domain\nhttps://example.com/,${host}\n`));
  expect([piece.status, await piece.json()]).toMatchObject([200, { created: 1 }]);
});
