import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppLinkMemory } from '../../src/domains/app-link-memory.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('what an isolate remembers of app links', () => {
  const name = 'asset_links';
  const content = (bytes: number) => new Uint8Array(bytes);

  it('what an isolate remembers of app links is at most 2,000 files and missing files, the oldest going first', () => {
    const memory = new AppLinkMemory(1000);
    for (let turn = 0; turn < 3000; turn++) memory.remember(`h${turn}`, name, null, memory.generation);
    expect([memory.find('h999', name), memory.find('h1000', name)]).toEqual([undefined, null]);
  });

  it('what an isolate remembers of app links is at most 2 MiB', () => {
    const memory = new AppLinkMemory(1000);
    const file = content(128 * 1024);
    const hosts = Array.from({ length: 100 }, (_, turn) => `h${turn + 100}`);
    for (const host of hosts) memory.remember(host, name, file, memory.generation);
    expect(hosts.filter((host) => memory.find(host, name))).toEqual(hosts.slice(-15));
    // A file that is remembered again takes no more memory.
    for (let turn = 0; turn < 50; turn++) memory.remember('h199', name, file, memory.generation);
    expect(hosts.filter((host) => memory.find(host, name))).toEqual(hosts.slice(-15));
  });

  it('what an isolate remembers of app links ends with its time, also if the clock is set back', () => {
    vi.setSystemTime(10_000);
    const memory = new AppLinkMemory(1000);
    memory.remember('h', name, content(1), memory.generation);
    vi.setSystemTime(10_999);
    expect(memory.find('h', name)).toEqual(content(1));
    for (const at of [11_000, 9999]) {
      vi.setSystemTime(at);
      expect(memory.find('h', name)).toBeUndefined();
    }
  });

  it('what an isolate remembers of app links is forgotten by host, or all at once', () => {
    const memory = new AppLinkMemory(1000);
    for (const host of ['a', 'b', 'c']) memory.remember(host, name, null, memory.generation);
    memory.forget('a');
    expect(['a', 'b', 'c'].map((host) => memory.find(host, name))).toEqual([undefined, null, null]);
    memory.forgetAll();
    expect(memory.find('b', name)).toBeUndefined();
  });
});
