import { beforeAll, describe, expect, it } from 'vitest';
import { ended, runProcess, startProcess, strangersEnv } from '../scripts/support/processes.ts';
import { NODE, printedOnce } from '../scripts/support/project.ts';
import { ask } from '../scripts/support/server.ts';
import { openImportTool } from './support/import-tool.ts';

/** `npm run import` beside the service, which does something else with the same workspace meanwhile. */

const ROWS = 5000;
const HOST = 'go.interleaved.example';

describe('an npm run import under way', () => {
  let tool: Awaited<ReturnType<typeof openImportTool>>;

  beforeAll(async () => {
    tool = await openImportTool();
  });

  /** Starts an import, and does something once its first piece is written; gives the exit code and what was printed. */
  async function importBeside(file: string, happen: () => Promise<unknown>) {
    const child = startProcess(NODE, tool.argsOf(file), { cwd: tool.project });
    let said = '';
    const isUnderWay = Promise.withResolvers<void>();
    child.stdout?.on('data', (piece: Buffer) => (said += piece.toString()));
    child.stderr?.on('data', (piece: Buffer) => {
      said += piece.toString();
      if (said.includes(`of ${ROWS} rows`)) isUnderWay.resolve();
    });
    const over = ended(child);
    await Promise.race([isUnderWay.promise, over]);
    await happen();
    return { code: await over, said };
  }

  it('a removal of its domain during npm run import leaves no link that is served there, and the other rows are imported', async () => {
    const args = ['scripts/account.ts', 'domain', HOST, '--client', 'default', '--persist-to', tool.persistTo];
    expect((await runProcess(NODE, args, { cwd: tool.project, env: strangersEnv() })).code).toBe(0);
    const { domains } = JSON.parse((await ask(`${tool.server.origin}/v1/domains`, { headers: tool.owner })).body);
    const id = domains.find(({ host }: { host: string }) => host === HOST).id;
    const lineOf = (row: number) => `d-${row},https://example.com/${row},${row % 2 === 0 ? HOST : ''}`;
    const lines = Array.from({ length: ROWS }, (_, index) => lineOf(index + 1));
    const file = tool.write(`slug,url,custom_domain\n${lines.join('\n')}\n`);
    const remove = async () => {
      const path = `${tool.server.origin}/v1/domains/${id}?force=true`;
      // Links that come in between are deleted by the next attempt.
      for (let status = 0; status !== 204;) {
        ({ status } = await ask(path, { method: 'DELETE', headers: tool.owner }));
        expect([202, 204, 409]).toContain(status);
      }
    };
    const { code, said } = await importBeside(file, remove);
    expect([code, said]).toEqual([expect.toBeOneOf([0, 3]), expect.stringContaining('created')]);
    const links = await tool.exported();
    // An import adds a domain that it does not know: rows after the removal wait until it is verified again.
    const ofHost = links.filter(({ custom_domain: host }) => host === HOST);
    expect(ofHost.filter(({ waits_for: host }) => host !== HOST)).toEqual([]);
    expect(ofHost.length).toBeLessThan(ROWS / 2);
    for (const slug of ['d-2', `d-${ROWS}`]) {
      const visit = await ask(`${tool.server.origin}/${slug}`, { headers: { Host: HOST } });
      expect([slug, visit.status]).toEqual([slug, 404]);
    }
    const others = links.filter(({ slug, custom_domain: host }) => String(slug).startsWith('d-') && host === null);
    expect(others).toHaveLength(ROWS / 2);
  });

  it('a revocation of its key stops npm run import, and the same command does the rest', async () => {
    const lines = Array.from({ length: ROWS }, (_, index) => `k-${index},https://example.com/${index}`);
    const file = tool.write(`slug,url\n${lines.join('\n')}\n`);
    const revoke = async () => {
      const { keys } = JSON.parse((await ask(`${tool.server.origin}/v1/keys`, { headers: tool.owner })).body);
      const working = keys.filter((key: { name: string; revoked_at: unknown }) => key.revoked_at === null);
      for (const { id, name } of working)
        if (name !== 'first key')
          await ask(`${tool.server.origin}/v1/keys/${id}`, { method: 'DELETE', headers: tool.owner });
    };
    const stopped = await importBeside(file, revoke);
    expect([stopped.code, stopped.said]).toEqual([expect.toBeOneOf([0, 2]), expect.any(String)]);
    const before = (await tool.exported()).filter(({ slug }) => String(slug).startsWith('k-')).length;
    expect(before).toBeGreaterThan(0);
    if (stopped.code === 2) {
      const again = await tool.run(file);
      expect([again.code, printedOnce(again.stdout, 'created')]).toEqual([0, expect.any(String)]);
    }
    const slugs = (await tool.exported()).map(({ slug }) => String(slug)).filter((slug) => slug.startsWith('k-'));
    expect([slugs.length, new Set(slugs).size]).toEqual([ROWS, ROWS]);
  });
});
