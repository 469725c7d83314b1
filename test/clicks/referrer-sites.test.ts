import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest';
import { hostsOfSite, siteOfHost } from '../../src/clicks/referrer-sites.ts';
import { ask, clicked, seedClicked } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

describe('the site of a referring host', () => {
  it.each([
    ['facebook.com', 'facebook.com'],
    ['www.facebook.com', 'facebook.com'],
    ['l.facebook.com', 'facebook.com'],
    ['lm.facebook.com', 'facebook.com'],
    ['m.facebook.com', 'facebook.com'],
    ['developers.facebook.com', 'developers.facebook.com'],
    ['m.l.facebook.com', 'm.l.facebook.com'],
    ['facebook.com.evil.example', 'facebook.com.evil.example'],
    ['notfacebook.com', 'notfacebook.com'],
    ['www.example.com', 'example.com'],
    ['www.www.example.com', 'www.example.com'],
    ['www.com', 'www.com'],
    ['m.example.com', 'm.example.com'],
    ['www.google.co.uk', 'google.com'],
    ['google.de', 'google.com'],
    ['news.google.com', 'news.google.com'],
    ['google.example', 'google.example'],
    ['google.xyz', 'google.xyz'],
    ['google.com.xx', 'google.com.xx'],
    ['t.co', 't.co'],
    ['com.google.android.gm', 'com.google.android.gm'],
    ['[::1]', '[::1]'],
    ['localhost', 'localhost'],
    ['other', 'other'],
    ['', ''],
  ])('the site of a referring host, %j, is %j, which stands for it', (host, site) => {
    expect(siteOfHost(host)).toBe(site);
    if (siteOfHost(site) === site) expect(hostsOfSite(site)).toContain(host);
  });

  it('the site of a referring host has no host of another site', () => {
    for (const name of ['facebook.com', 'google.com', 'example.com', 't.co', 'reddit.com'])
      for (const host of hostsOfSite(name)) expect([host, siteOfHost(host)]).toEqual([host, name]);
    for (const host of ['l.facebook.com', 'www.example.com', 'google.de']) expect(hostsOfSite(host)).toEqual([host]);
  });

  it('the site of a referring host is a row and a filter, and the filter takes whole hosts too', async () => {
    const hosts = ['facebook.com', 'l.facebook.com', 'lm.facebook.com', 'm.facebook.com', 'www.facebook.com'];
    const others = ['www.google.com', 'google.at', 'www.news.example', 'news.example', 't.co', null];
    const { tenant, link } = await seedClicked(
      [...hosts, ...others].map((referrer) => ({ at: '2026-03-30T10:00:00Z', referrer })),
    );
    const stats = async (query: string) => ask(tenant, `/v1/links/${link.id}/stats?by=referrer${query}`);
    expect(clicked(await stats(''))).toEqual([
      ['facebook.com', 5],
      ['google.com', 2],
      ['news.example', 2],
      [null, 1],
      ['t.co', 1],
    ]);
    expect(clicked(await stats('&referrer=facebook.com'))).toEqual([['facebook.com', 5]]);
    expect(clicked(await stats('&referrer=l.facebook.com&referrer=LM.facebook.com'))).toEqual([['facebook.com', 2]]);
    expect(clicked(await stats('&referrer=google.com&referrer=null'))).toEqual([
      ['google.com', 2],
      [null, 1],
    ]);
    expect(clicked(await stats('&referrer=google.at'))).toEqual([['google.com', 1]]);
    expect(clicked(await stats('&referrer=www.news.example'))).toEqual([['news.example', 1]]);
  });
});
