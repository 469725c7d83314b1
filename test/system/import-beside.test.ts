import { expect, it } from 'vitest';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject, printedAccount } from '../scripts/support/project.ts';
import { ask, makeLink, startServer } from '../scripts/support/server.ts';

const ROWS = 5000;
/** A busy machine may stop a process for longer than a trip, but not in each of several imports. */
const ATTEMPTS = 4;

it('the service redirects visitors between the trips of an import', async () => {
  const server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
  const { apiKey } = printedAccount(server.output());
  const { id } = await makeLink(server.origin, apiKey, { url: 'https://example.com/', client_id: 'default' });

  const shares: number[] = [];
  while (shares.length < ATTEMPTS && !shares.some(isShort)) shares.push(await longestShare(`row-${shares.length}`));
  expect({ shares, isShort: shares.some(isShort) }).toMatchObject({ isShort: true });
  await server.endAll('SIGKILL');

  /** Imports links and follows another one meanwhile. Returns the share of the import that the longest redirect took. */
  async function longestShare(name: string): Promise<number> {
    const rows = Array.from({ length: ROWS }, (_, row) => `${name}-${row},https://example.com/${row}\n`);
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'text/csv' };
    const body = `slug,url\n${rows.join('')}`;
    const begun = performance.now();
    const state = { tookMs: 0 };
    const imported = ask(`${server.origin}/v1/links/import`, { method: 'POST', headers, body }).finally(() => {
      state.tookMs = performance.now() - begun;
    });
    let longest = 0;
    while (state.tookMs === 0) {
      const asked = performance.now();
      expect((await ask(`${server.origin}/${id}`)).status).toBe(302);
      longest = Math.max(longest, performance.now() - asked);
    }
    expect(JSON.parse((await imported).body)).toMatchObject({ created: ROWS, errors: 0 });
    return longest / state.tookMs;
  }
});

// Of 20 trips one may be under way; a redirect that waits for all takes nearly as long as the import.
const isShort = (share: number) => share < 0.5;
