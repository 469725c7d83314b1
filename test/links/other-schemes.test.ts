import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { CHROME, SLACK } from '../support/clicks.ts';
import { newHost } from '../support/domains.ts';
import { open, openManager, type Manager } from '../support/manage.ts';
import { seedDomain, seedTenant } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { fromEachStore, ledTo } from '../support/visits.ts';

/** Destinations with another scheme than http and https, which the operator has named. */

const SHIPPED = ['mailto', 'tel', 'sms', 'geo'];
const WEB = 'https://example.com/';

type Failure = { readonly error: string; readonly url: string };

const sendUrl = async ({ ask, tenant, key }: Manager, url: string) => {
  const { status, body } = await ask<Failure & { result: string }>(
    'POST',
    '/v1/links',
    { url, client_id: tenant.clientId },
    key,
  );
  return status === 200 ? (JSON.parse(body.result) as { id: string; url: string }) : body.error;
};

const openWith = async (schemes: string) =>
  openManager(await seedTenant(), openIsolate({ DESTINATION_SCHEMES: schemes }));

describe('a destination with another scheme', () => {
  it.each([
    ['mailto:a@example.com?subject=Hello%20there', 'mailto:a@example.com?subject=Hello%20there'],
    ['MAILTO:a@example.com?subject=Hello there', 'mailto:a@example.com?subject=Hello%20there'],
    [' tel:+1 (555) 010-0100 ', 'tel:+1(555)010-0100'],
    ['sms:555.0100', 'sms:555.0100'],
    ['geo:48.2,16.37?z=12', 'geo:48.2,16.37?z=12'],
    ['myapp://open/Straße?x=ä b', 'myapp://open/Stra%C3%9Fe?x=%C3%A4%20b'],
    ['com.example.app:/open', 'com.example.app:/open'],
    ['market:details?id=com.example', 'market:details?id=com.example'],
  ])('a destination with another scheme leads there: %s', async (url, href) => {
    const manager = await openWith([...SHIPPED, 'myapp', 'com.example.app', 'market'].join(' '));
    const link = await sendUrl(manager, url);
    expect(link).toMatchObject({ url: href });
    const { id } = link as { id: string };
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}`)))
      expect([store, ...ledTo(response)]).toEqual([store, 302, href]);
    expect((await manager.ask('GET', `/v1/links?url=${encodeURIComponent(url)}`)).body).toMatchObject({
      links: [{ id }],
    });
  });

  it.each([
    ['myapp://open', 'cannot have the scheme myapp: use https, or one of geo, mailto, sms, tel.'],
    ['ftp://example.com/', 'cannot have the scheme ftp: use https, or one of geo, mailto, sms, tel.'],
    ['tel:+1555;phone-context=x', 'must be a number, such as tel:+15551234.'],
    ['tel:*21*5550100#', 'must be a number, such as tel:+15551234.'],
    ['sms:+1555?body=x', 'must be a number, such as tel:+15551234.'],
    ['tel:+', 'must be a number, such as tel:+15551234.'],
    ['mailto:', 'must be a URL, such as mailto:….'],
    ['mailto:a\tb@example.com', 'must not have tabs or line ends inside: remove them.'],
    ['javascript:alert(1)', 'cannot have the scheme javascript: use https.'],
    ['intent://x#Intent;end', 'cannot have the scheme intent: use https.'],
    ['ms-word:ofe|u|https://example.com/', 'cannot have the scheme ms-word: use https.'],
  ])('a destination with another scheme is refused if it is %s', async (url, complaint) => {
    expect(await sendUrl(await open(), url)).toBe(`invalid_url: url ${complaint}`);
  });

  it('a destination with another scheme can be in rules and variants, and nowhere else', async () => {
    const manager = await open();
    const url = 'tel:+15550100';
    const rules = [{ name: 'All', if: [{ type: 'visitor', in: ['human'] }], url }];
    const id = await manager.make({ url: WEB, rules });
    const person = { headers: { 'User-Agent': CHROME } };
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}`, person)))
      expect([store, ...ledTo(response)]).toEqual([store, 302, url]);
    for (const [field, value] of Object.entries({ expired_url: url, preview: { image: url } })) {
      const { status, body } = await manager.ask<Failure>('PATCH', `/v1/links/${id}`, { [field]: value });
      expect([status, body.error]).toEqual([400, expect.stringContaining('cannot have the scheme tel: use https.')]);
    }
    const unnamed = { rules: [{ ...rules[0], url: 'myapp://open' }] };
    const { body } = await manager.ask<Failure>('PATCH', `/v1/links/${id}`, unnamed);
    expect(body.error).toMatch(/^invalid_rules: rules\.0\.url cannot have the scheme myapp: use https, or one of geo/);
  });

  it('a destination with another scheme takes neither the query nor the path of a visit', async () => {
    const manager = await open();
    const custom_domain = await seedDomain(manager.tenant, newHost());
    const slug = `s${crypto.randomUUID()}`;
    const fields = { url: 'mailto:a@example.com', forward_query: 'keep', forward_path: true, custom_domain, slug };
    await manager.make(fields);
    const response = await openIsolate()(`https://${custom_domain}/${slug}/x/y?cc=b@evil.example`);
    expect(ledTo(response)).toEqual([302, 'mailto:a@example.com']);
  });

  it('a destination with another scheme stays when the operator no longer names it', async () => {
    const before = await openWith('myapp');
    const { id } = (await sendUrl(before, 'myapp://open')) as { id: string };
    const after = await openManager(before.tenant, openIsolate({ DESTINATION_SCHEMES: 'tel' }));
    const same = { url: 'myapp://open', title: 'New' };
    expect(await after.ask('PATCH', `/v1/links/${id}`, same)).toMatchObject({ status: 200, body: same });
    expect((await after.ask('PATCH', `/v1/links/${id}`, { url: 'myapp://other' })).status).toBe(400);
    expect(ledTo(await openIsolate({ DESTINATION_SCHEMES: '' })(`/${id}`))).toEqual([302, 'myapp://open']);
  });

  it('a destination with another scheme is shown with it, and has a preview of its own', async () => {
    const manager = await open();
    const url = 'tel:+15550100';
    const id = await manager.make({ url, preview: { title: 'Call us' } });
    const inspected = await openIsolate()(`/${id}+`, { headers: { Accept: 'text/html' } });
    expect(await inspected.text()).toContain(`href="${url}"`);
    const preview = await openIsolate()(`/${id}`, { headers: { 'User-Agent': SLACK } });
    expect([preview.status, (await preview.text()).includes('Call us')]).toEqual([200, true]);
  });

  it.each(['ndjson', 'csv'])('a destination with another scheme comes back by an export as %s', async (format) => {
    const before = await openWith('myapp tel');
    const rules = [{ name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: 'tel:+15550100' }];
    const id = await before.make({ url: 'myapp://open', rules });
    const through = openIsolate({ DESTINATION_SCHEMES: '' });
    const file = await (await through(`/v1/links/export?format=${format}`, { headers: before.bearer })).text();
    const after = await openManager(await seedTenant(), through);
    const send = async (body: string) => {
      const headers = { ...after.bearer, 'Content-Type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' };
      const response = await through('/v1/links/import', { method: 'POST', headers, body });
      return response.json<{ results: [{ status: string; error?: string; link?: { id: string } }] }>();
    };
    const { results } = await send(file.replaceAll(id, `moved${crypto.randomUUID()}`));
    expect(results).toMatchObject([{ status: 'created' }]);
    expect(await after.read(results[0].link?.id ?? '')).toMatchObject({ url: 'myapp://open', rules });
    const typed = format === 'csv' ? 'url\nmyapp://open\n' : '{"url":"myapp://open"}\n';
    expect((await send(typed)).results[0].error).toBe('invalid_url: url cannot have the scheme myapp: use https.');
  });

  it('a destination with a scheme that the operator has not named is no filter of the list', async () => {
    const { ask } = await open();
    const { status, body } = await ask<Failure>('GET', '/v1/links?url=myapp://open');
    const sentence = 'url cannot have the scheme myapp: use https, or one of geo, mailto, sms, tel.';
    expect([status, body.error]).toEqual([400, `invalid_url: ${sentence}`]);
  });

  it('a destination of an app may have the name of a blocked host or of the service in it', async () => {
    const manager = await openWith('myapp');
    await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind('open.example').run();
    expect(await sendUrl(manager, 'myapp://terse.test/x')).toMatchObject({ url: 'myapp://terse.test/x' });
  });
});
