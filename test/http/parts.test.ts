import { env } from 'cloudflare:workers';
import { createExecutionContext } from 'cloudflare:test';
import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../src/app/api.ts';
import { openCore } from '../../src/app/core.ts';
import { openPlatform } from '../../src/app/platform.ts';
import { parseConfig } from '../../src/config/config.ts';
import { SurfaceInParts, type Part } from '../../src/http/parts.ts';

interface Types {
  Bindings: Env;
}

/** True if a pattern of a part matches all paths of a route. */
function covers(pattern: string, route: string): boolean {
  const isPrefix = pattern.endsWith('/*');
  const [given, segments] = [isPrefix ? pattern.slice(0, -2) : pattern, route.replace(/\/\*$/, '')].map((path) =>
    path.split('/').map((segment) => (segment.startsWith(':') ? ':' : segment)),
  );
  const begins = given!.every((segment, index) => segment === segments![index] || segment === ':');
  return begins && (isPrefix || (given!.length === segments!.length && !route.endsWith('/*')));
}

/** A part whose routes respond with their own patterns. */
function partOf(loaded: string[], paths: readonly string[], routes = paths): Part<Types> {
  return {
    paths,
    load: async () => {
      loaded.push(paths.join(' '));
      const app = new Hono<Types>();
      for (const route of routes) app.get(route, (c) => c.text(route));
      return app;
    },
  };
}

const ask = async (surface: SurfaceInParts<Types>, path: string) => {
  const response = await surface.fetch(new Request(`https://terse.test${path}`), env, createExecutionContext());
  return [response.status, await response.text()];
};

describe('a surface in parts', () => {
  it('a surface in parts loads only the parts that match a path, each once', async () => {
    const loaded: string[] = [];
    const parts = [partOf(loaded, ['/a', '/a/b']), partOf(loaded, ['/a/:id/*'], ['/a/:id']), partOf(loaded, ['/c'])];
    const surface = new SurfaceInParts(parts, () => new Hono<Types>(), getPath);
    expect(await ask(surface, '/a')).toEqual([200, '/a']);
    expect(loaded).toEqual(['/a /a/b']);
    // The first of several parts responds.
    expect(await ask(surface, '/a/b')).toEqual([200, '/a/b']);
    expect(await ask(surface, '/a/x')).toEqual([200, '/a/:id']);
    expect(await ask(surface, '/%61')).toEqual([200, '/a']);
    expect(loaded).toEqual(['/a /a/b', '/a/:id/*']);
  });

  it('a surface in parts finds nothing at a path of no part, and loads nothing for it', async () => {
    const loaded: string[] = [];
    const surface = new SurfaceInParts([partOf(loaded, ['/a/:id'])], () => new Hono<Types>(), getPath);
    for (const path of ['/', '/a', '/a/', '/a/b/c', '/b/c']) expect((await ask(surface, path))[0]).toBe(404);
    expect(loaded).toEqual([]);
  });

  it('a surface in parts tries again to load a part that could not be loaded', async () => {
    let failures = 1;
    const part = partOf([], ['/a']);
    const load = async () => {
      if (failures-- > 0) throw new Error('not loaded');
      return part.load();
    };
    const surface = new SurfaceInParts([{ ...part, load }], () => new Hono<Types>(), getPath);
    await expect(ask(surface, '/a')).rejects.toThrow('not loaded');
    expect(await ask(surface, '/a')).toEqual([200, '/a']);
  });
});

describe('the parts of the Worker', () => {
  const core = openCore(parseConfig({ ...env }));

  it.each([
    ['API', openApi(core)],
    ['platform', openPlatform(core)],
  ])('the parts of the Worker match all paths of their routes: %s', async (_name, surface) => {
    const parts = await surface.loadParts();
    const unmatched = parts.flatMap(({ paths, routes }) =>
      routes.map(({ path }) => path).filter((path) => !paths.some((pattern) => covers(pattern, path))),
    );
    expect(unmatched).toEqual([]);
  });
});
