import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { openAddressResolver } from '../../src/network/dns.ts';
import { newHost, setDns } from '../support/domains.ts';

afterEach(() => void vi.restoreAllMocks());

const resolve = openAddressResolver(new URL(inject('resolverUrl')));

describe('the addresses of a name', () => {
  it('the addresses of a name are asked for one after the other, so that a name takes one connection', async () => {
    const host = newHost();
    await setDns(host, { a: ['8.8.8.8'], aaaa: ['2606:4700::1'], afterMs: 50 });
    const fetchOf = globalThis.fetch.bind(globalThis);
    let [underWay, most] = [0, 0];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
      most = Math.max(most, (underWay += 1));
      return fetchOf(...args).finally(() => (underWay -= 1));
    });
    expect(await resolve(host)).toEqual(['8.8.8.8', '2606:4700::1']);
    expect(most).toBe(1);
  });

  it('the addresses of a name are not known if the name servers fail', async () => {
    const host = newHost();
    await setDns(host, { rcode: 'SERVFAIL' });
    expect(await resolve(host)).toBe('server_failure');
  });

  it('the addresses of a name are none for a name that does not exist', async () => {
    expect(await resolve(newHost())).toEqual([]);
  });

  it('the addresses of a name are not guessed if the resolver refuses to say', async () => {
    const host = newHost();
    await setDns(host, { rcode: 'REFUSED' });
    await expect(resolve(host)).rejects.toMatchObject({ code: 'resolver_unavailable' });
  });
});
