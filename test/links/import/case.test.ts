import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newHost, request, serveHosts } from '../../support/domains.ts';
import { importFile, newSlug, openClient, outcomesOf } from '../../support/files.ts';
import { seedCaller } from '../../support/forms.ts';
import { importFor, rowsOfFile } from '../../support/waiting.ts';

beforeEach(() => void serveHosts());
afterEach(() => vi.restoreAllMocks());

const CURE =
  'slug_taken: slug sale is already in use on this host with different upper and lower case. Choose another one, or to ' +
  'keep both, set case_sensitive of the domain before its first link: if it has links, remove it with them, add it again, ' +
  'and import the file again.';

describe('slugs of a file that differ in case alone', () => {
  it('slugs of a file that differ in case alone are refused on a domain that is not verified, with the cure, before and after the first is created', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const file = rowsOfFile(host, ['Sale', 'sale']);
    const dry = await importFor(caller, file, '?dry_run=true');
    expect([outcomesOf(dry), dry.results[1]?.error]).toEqual([['created', 'slug_taken'], CURE]);
    const first = await importFor(caller, file);
    expect([outcomesOf(first), first.results[1]?.error]).toEqual([['created', 'slug_taken'], CURE]);
    const again = await importFor(caller, file);
    expect([outcomesOf(again), again.results[1]?.error]).toEqual([['unchanged', 'slug_taken'], CURE]);
  });

  it('slugs of a file that differ in case alone are both created once the cure was followed', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const file = rowsOfFile(host, ['Sale', 'sale']);
    await importFor(caller, file);
    const { domains } = await (await request(caller, '/v1/domains')).json<{ domains: { id: string }[] }>();
    await request(caller, `/v1/domains/${domains[0]?.id}?force=true`, { method: 'DELETE' });
    const body = { host, case_sensitive: true };
    expect((await request(caller, '/v1/domains', { method: 'POST', body })).status).toBe(201);
    expect(outcomesOf(await importFor(caller, file))).toEqual(['created', 'created']);
  });

  it('slugs of a file that differ in case alone are refused on the service’s own host as before', async () => {
    const slug = newSlug();
    const csv = `slug,url\n${slug},https://example.com/1\n${slug.toUpperCase()},https://example.com/2\n`;
    const imported = await importFile(await openClient(), csv);
    expect(imported.results[1]?.error).toBe(
      `slug_taken: slug ${slug.toUpperCase()} is already in use on this host, possibly with different upper and lower case. Choose another one.`,
    );
  });
});
