import { DurableObject } from 'cloudflare:workers';

/** A Durable Object with some methods that are called from outside. */
type Body<Name extends string> = { readonly [Called in Name | 'alarm']: (...args: never[]) => unknown };

/**
 * A class of Durable Objects whose code is loaded by the first object of an isolate: an isolate that has none does not load
 * it. No call comes before the body is there; if it cannot be loaded, the calls fail, and the platform creates the object
 * anew for the next one. Source: https://developers.cloudflare.com/durable-objects/api/state/#blockconcurrencywhile
 *
 * @param names the methods that are called from outside
 * @param load imports the class of the body, and creates one
 */
export function objectShell<Name extends string, Loaded extends Body<Name>>(
  names: readonly Name[],
  load: (ctx: DurableObjectState, env: Env) => Promise<Loaded>,
): new (ctx: DurableObjectState, env: Env) => Loaded {
  class Shell extends DurableObject<Env> {
    #body!: Loaded;

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      void ctx.blockConcurrencyWhile(async () => {
        this.#body = await load(ctx, env);
      });
    }

    static {
      for (const name of [...names, 'alarm'] as const) {
        const value = function (this: Shell, ...args: never[]) {
          return this.#body[name](...args);
        };
        Object.defineProperty(this.prototype, name, { value });
      }
    }
  }
  return Shell as never;
}
