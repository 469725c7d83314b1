import type { Hono, Env as HonoTypes } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { Later } from '../isolate/later.ts';

/** Some routes of a surface, which are loaded by the first request to one of their paths. */
export interface Part<E extends HonoTypes> {
  /**
   * Patterns that match all paths of its routes, as Hono's: `:name` stands for one segment, and `/*` at the end for any
   * number of them. They may match more.
   */
  readonly paths: readonly string[];
  /** Imports and creates the routes. */
  load(): Promise<Hono<E>>;
}

// The router finds parts whatever the method of a request.
const METHOD = 'ALL';

/**
 * A surface whose parts are loaded when they are needed. A request is served by the parts that match its path, in the
 * order of all of them, so that its response is that of a surface with all parts at once.
 */
export class SurfaceInParts<E extends HonoTypes> {
  readonly #parts: readonly { readonly paths: readonly string[]; readonly routes: Later<Hono<E>> }[];
  /** Finds the numbers of parts. */
  readonly #router = new TrieRouter<number>();
  readonly #create: () => Hono<E>;
  readonly #pathOf: (request: Request) => string;
  /** Surfaces by the numbers of their parts. */
  readonly #surfaces = new Map<string, Hono<E>>();

  /**
   * @param create a surface without routes
   * @param pathOf the path by which that surface finds routes
   */
  constructor(parts: readonly Part<E>[], create: () => Hono<E>, pathOf: (request: Request) => string) {
    this.#parts = parts.map((part) => ({ paths: part.paths, routes: new Later(() => part.load()) }));
    for (const [index, { paths }] of parts.entries()) for (const path of paths) this.#router.add(METHOD, path, index);
    this.#create = create;
    this.#pathOf = pathOf;
  }

  fetch(request: Request, env: E['Bindings'] & object, ctx: ExecutionContext): Response | Promise<Response> {
    const [found] = this.#router.match(METHOD, this.#pathOf(request));
    const numbers = [...new Set(found.map(([number]) => number))];
    const known = this.#surfaces.get(numbers.join());
    if (known !== undefined) return known.fetch(request, env, ctx);
    return this.#open(numbers).then((surface) => surface.fetch(request, env, ctx));
  }

  /** Loads all parts, and returns the patterns and the routes of each. */
  async loadParts(): Promise<readonly { readonly paths: readonly string[]; readonly routes: Hono<E>['routes'] }[]> {
    return Promise.all(this.#parts.map(async ({ paths, routes }) => ({ paths, routes: (await routes.load()).routes })));
  }

  async #open(numbers: readonly number[]): Promise<Hono<E>> {
    const parts = numbers.map((number) => this.#parts[number]!.routes);
    const routes = await Promise.all(parts.map(async (part) => part.loaded ?? part.load()));
    const key = numbers.join();
    const known = this.#surfaces.get(key);
    if (known !== undefined) return known;
    const surface = this.#create();
    for (const each of routes) surface.route('/', each);
    this.#surfaces.set(key, surface);
    return surface;
  }
}
