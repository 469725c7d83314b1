import { DurableObject } from 'cloudflare:workers';

/** The methods of a class of Durable Objects that are called from outside. A missing one is a type error. */
export type Methods<Body> = Readonly<Record<Exclude<keyof Body, keyof DurableObject | '__DURABLE_OBJECT_BRAND'>, true>>;

/**
 * A class of Durable Objects whose code is loaded by the first object of an isolate: an isolate that has none does not load
 * it. No call comes before the body is there; if it cannot be loaded, the calls fail, and the platform creates the object
 * anew for the next one. Source: https://developers.cloudflare.com/durable-objects/api/state/#blockconcurrencywhile
 *
 * @param load imports the class of the body, and creates one
 */
export function objectShell<Body>(
  methods: Methods<Body>,
  load: (ctx: DurableObjectState, env: Env) => Promise<Body>,
): new (ctx: DurableObjectState, env: Env) => Body {
  class Shell extends DurableObject<Env> {
    #body!: Readonly<Record<string, (...args: unknown[]) => unknown>>;

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      void ctx.blockConcurrencyWhile(async () => {
        this.#body = (await load(ctx, env)) as never;
      });
    }

    static {
      for (const name of [...Object.keys(methods), 'alarm']) {
        const value = function (this: Shell, ...args: unknown[]) {
          return this.#body[name]!(...args);
        };
        Object.defineProperty(this.prototype, name, { value });
      }
    }
  }
  return Shell as never;
}
