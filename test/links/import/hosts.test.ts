import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dryRunCreate } from '../../../src/links/create/dry-run.ts';
import { parseNewLink } from '../../../src/links/create/new-link.ts';
import { importFor, pendingOf, rowsOfFile } from '../../support/waiting.ts';
import {
  newHost,
  proveByDns,
  request,
  rowsOfHost,
  seedClaim,
  seedMember,
  seedProved,
  serveHosts,
  verify,
} from '../../support/domains.ts';
import { credentialOf } from '../../support/edits.ts';
import { exportOf } from '../../support/exports.ts';
import { newSlug, outcomesOf } from '../../support/files.ts';
import { seedCaller } from '../../support/forms.ts';
import { db } from '../../support/seed.ts';
import { addWebhook, eventsOf } from '../../support/webhooks.ts';

beforeEach(() => void serveHosts());
afterEach(() => vi.restoreAllMocks());

describe('the export of another service, imported by an owner,', () => {
  it('the export of another service that an owner imports adds the domain of the customer, and no host that the customers of the service share', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const imported = await importFor(caller, exportOf('bitly.csv', host));
    expect(outcomesOf(imported)).toEqual(['created', 'unknown_domain', 'unknown_domain']);
    expect(imported.results[0]?.link).toMatchObject({ short_url: `https://${host}/Launch`, waits_for: host });
    expect(imported.results[1]?.error).toBe(
      'unknown_domain: bit.ly links cannot keep their domain, since it belongs to a link service. Choose ' +
        'another host for them, such as host=bit.ly:shared.',
    );
    expect(pendingOf(imported)).toMatchObject([{ host, is_new: true, domain: { host, status: 'pending' } }]);
    expect(await rowsOfHost('bit.ly')).toEqual([]);
  });

  it('the export of another service that an owner imports goes where the caller says, before any domain is added', async () => {
    const caller = await seedCaller();
    const [host, chosen] = [newHost(), newHost()];
    const imported = await importFor(caller, exportOf('bitly.csv', host), `?host=bit.ly:${chosen}&host=shared`);
    expect(outcomesOf(imported)).toEqual(['created', 'created', 'created']);
    const places = imported.results.map(({ link }) => [link?.custom_domain, link?.waits_for]);
    expect(places).toEqual([
      [null, null],
      [chosen, chosen],
      [chosen, chosen],
    ]);
    expect(pendingOf(imported)).toMatchObject([{ host: chosen, is_new: true }]);
    expect(await rowsOfHost(host)).toEqual([]);
  });

  it.each(['dub.sh', 'rebrand.ly', 'tinyurl.com', 'kutt.it', 'acme.short.gy', 't.co'])(
    'the export of another service that an owner imports adds no domain %s',
    async (host) => {
      const imported = await importFor(await seedCaller(), exportOf('dub.csv', host), '?dry_run=true');
      expect(outcomesOf(imported)).toEqual(['unknown_domain', 'unknown_domain']);
      expect(pendingOf(imported)).toEqual([]);
    },
  );

  it('the export of another service that an owner imports waits for such a host that an owner has added', async () => {
    const caller = await seedCaller();
    const host = `${newHost().split('.', 1)[0]}.short.gy`;
    await seedClaim(caller, { host });
    const member = await seedMember(caller);
    expect(outcomesOf(await importFor(member, exportOf('dub.csv', host)))).toEqual(['created', 'created']);
  });
});

describe('a row of a member on a domain that the client does not have', () => {
  it('a row of a member on a domain that the client does not have is refused, unless the caller says where it goes', async () => {
    const member = await seedMember(await seedCaller());
    const host = newHost();
    const file = rowsOfFile(host, [newSlug()]);
    expect(outcomesOf(await importFor(member, file))).toEqual(['unknown_domain']);
    const moved = await importFor(member, file, `?host=${host}:shared`);
    expect(moved.results[0]?.link).toMatchObject({ custom_domain: null, waits_for: null });
    expect(await rowsOfHost(host)).toEqual([]);
  });
});

describe('a row that names the service’s own host', () => {
  it('a row that names the service’s own host goes there, in each format', async () => {
    const caller = await seedCaller();
    const own = await importFor(caller, rowsOfFile('TERSE.test', [newSlug()]));
    const slug = newSlug();
    const file = `link,destination_url\nhttps://terse.test/${slug},https://example.com/\n`;
    const foreign = await importFor(caller, file, '?from=bitly');
    for (const imported of [own, foreign]) {
      expect(outcomesOf(imported)).toEqual(['created']);
      expect(imported.results[0]?.link).toMatchObject({ custom_domain: null, waits_for: null });
      expect(pendingOf(imported)).toEqual([]);
    }
    expect(await rowsOfHost('terse.test')).toEqual([]);
  });
});

describe('a link that waits', () => {
  it('a link that waits is no reason to create another one on its domain', async () => {
    const caller = await seedCaller();
    const { host } = await seedClaim(caller);
    const actor = { credential: credentialOf(caller), clientId: null };
    const site = { requestUrl: new URL('https://terse.test/'), publicUrl: null };
    const link = parseNewLink({ url: 'https://example.com/', custom_domain: host }, site, 'json');
    await expect(dryRunCreate(db, actor, link)).rejects.toMatchObject({
      code: 'unknown_domain',
      message: `custom_domain ${host} is not one of your active domains. Verify it first, or leave it out.`,
    });
  });

  it('a link that waits has an event as waiting, and another one when it is disabled at the proof', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    await addWebhook(caller.clientId);
    const [claim, served] = [await seedClaim(caller), newHost()];
    const { results } = await importFor(caller, rowsOfFile(claim.host, ['a', 'b'], `https://${served}/`));
    const ids = results.map(({ link }) => link!.id);
    const edit = { method: 'PATCH', body: { url: 'https://example.com/fine' } };
    expect((await request(caller, `/v1/links/${ids[1]}`, edit)).status).toBe(200);
    await seedProved(other, { host: served });
    await proveByDns(claim);
    expect(await verify(caller, claim)).toMatchObject({ disabled_links: 1 });
    const events = (await eventsOf(caller.clientId)).filter(({ type }) => type !== 'links.imported');
    expect(events.map(({ type, data }) => [type, data['id'], data['waits_for'], data['previous']])).toEqual(
      expect.arrayContaining([
        ['link.updated', ids[1], claim.host, { url: `https://${served}/` }],
        ['link.updated', ids[0], null, { disabled: false, state: 'active' }],
        ['domain.verified', claim.id, undefined, undefined],
      ]),
    );
    expect(events).toHaveLength(3);
    await verify(caller, claim);
    expect((await eventsOf(caller.clientId)).filter(({ type }) => type === 'link.updated')).toHaveLength(2);
  });
});
