import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, runProcess, strangersEnv, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, NODE, printedOnce } from '../scripts/support/project.ts';
import { startServer, type Server } from '../scripts/support/server.ts';

/** The command line of the MCP inspector against the service. */

const inspector = makeFolder();
const env = strangersEnv();
let server: Server;

beforeAll(async () => {
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(import.meta.dirname, 'mcp-inspector', file), join(inspector, file));
  }
  // With the settings of npm on this machine: another registry may be one of them.
  const own = process.env as Record<string, string>;
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const installed = await runProcess('npm', ['ci', ...options], { cwd: inspector, env: own });
  expect(installed).toMatchObject({ code: 0, stderr: '' });
  server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
});

/** Its exit codes: 0, 3 for a server that asks for a credential, 5 for an error of a tool, 6 for a faulty schema. */
function inspect(era: string, key: string, args: readonly string[]): Promise<Outcome> {
  const command = join(inspector, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const target = ['--cli', `${server.origin}/mcp`, '--transport', 'http', '--protocol-era', era];
  const header = ['--header', `Authorization: Bearer ${key}`];
  return runProcess(NODE, [command, ...target, ...header, ...args], { cwd: inspector, env });
}

describe.each(['legacy', 'modern'])('the inspector, as a client of the %s revisions', (era) => {
  const call = (name: string, args: Readonly<Record<string, unknown>>) => {
    const key = printedOnce(server.output(), 'api_key');
    return inspect(era, key, ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)]);
  };

  it('the MCP inspector finds no error in the schemas of the tools', async () => {
    const key = printedOnce(server.output(), 'api_key');
    const { code, stdout, stderr } = await inspect(era, key, ['--method', 'tools/list', '--strict']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('0 errors, ')]);
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    const names = ['create_link', 'update_link', 'find_links', 'get_link', 'link_stats', 'compare_links'];
    expect(tools.map(({ name }) => name)).toEqual([...names, 'list_campaigns', 'list_tags', 'qr_code']);
  });

  it('the MCP inspector creates a link that redirects, and finds it', async () => {
    const title = `Of the inspector (${era})`;
    const created = await call('create_link', { url: 'https://example.com/inspected', title });
    expect(created.code).toBe(0);
    const link = (JSON.parse(created.stdout) as { structuredContent: { id: string; short_url: string } })
      .structuredContent;
    const visit = await fetch(link.short_url, { redirect: 'manual' });
    expect([visit.status, visit.headers.get('Location')]).toEqual([302, 'https://example.com/inspected']);
    const found = await call('find_links', { q: title });
    expect(JSON.parse(found.stdout)).toMatchObject({ structuredContent: { links: [{ id: link.id, title }] } });
  });

  it('the MCP inspector gets an error that names the field, and one for an invalid key', async () => {
    const refused = await call('create_link', { url: 'nonsense' });
    expect(refused.code).toBe(5);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      isError: true,
      content: [
        { type: 'text', text: expect.stringMatching(/^invalid_url: url must be an absolute http or https URL/) },
        {},
      ],
    });
    const denied = await inspect(era, 'tk_nonsense', ['--method', 'tools/list', '--stored-auth-only']);
    expect([denied.code, denied.stdout]).toEqual([3, '']);
    expect(denied.stderr).toContain('auth_required');
  });
});
